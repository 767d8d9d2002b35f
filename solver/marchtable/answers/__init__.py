"""
Questions and answers as plain data: the whole of what any client can ask.

Comes in: a request as a client wrote it. Goes out: its answer, with the shapes and schemas of both.
Knows neither terminals nor sockets.
"""
