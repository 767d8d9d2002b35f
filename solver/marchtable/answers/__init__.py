"""
Questions and answers as plain data: everything a client can ask.

Input: a request as a client wrote it. Output: its answer, with the shapes and schemas of both.
Knows neither terminals nor sockets.
"""
