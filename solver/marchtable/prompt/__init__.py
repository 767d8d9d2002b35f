"""
``marchtable play``: a game at a prompt, action by action.

The session (``session``) takes lines and replies with plain data, and knows no terminal; ``words``
completes what is being typed, ``replies`` prints replies, ``terminal`` reads lines, with
prompt_toolkit where it is installed. Comes in: a scene and lines. Goes out: replies and a log.
"""
