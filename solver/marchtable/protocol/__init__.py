"""
One warm process for clients in any language, over standard input and output.

``marchtable engine`` speaks JSON-RPC 2.0, a message a line (``messages``, ``methods``, ``engine``);
``marchtable mcp`` offers the same questions as tools to assistants (``tools``, ``mcpserver``).
Positions are kept by handle (``handles``); neither reads a file unless it was started with leave to. Comes in: messages. Goes out: what
:mod:`marchtable.answers` answers, news of its progress, pictures. Knows neither HTTP nor games kept.
"""
