"""
``marchtable play``: a game at a prompt, action by action.

The session (``session``) takes lines and replies with plain data, and knows no terminal; ``words``
completes input, ``replies`` prints replies, ``terminal`` reads lines, with prompt_toolkit if it is
installed. Input: a scene and lines. Output: replies and a log.
"""
