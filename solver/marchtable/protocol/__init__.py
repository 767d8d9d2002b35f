"""
One warm process for clients in any language, over standard input and output.

``marchtable engine`` speaks JSON-RPC 2.0, one message per line (``messages``, ``methods``,
``engine``); ``marchtable mcp`` offers the same questions as tools to assistants (``tools``,
``mcpserver``). Positions are kept by handle (``handles``); neither reads a file unless started with
permission. Input: messages. Output: answers of :mod:`marchtable.answers`, progress, pictures. Knows
neither HTTP nor stored games.
"""
