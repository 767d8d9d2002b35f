"""Questions and games over HTTP: ``answer`` for clients on the network.

A request is a question that is put to a worker process (``pool``, ``worker``, ``functions``), where
positions stay warm (``positions``) and from where nothing can harm the server; games are kept in
SQLite (``games``); who asks sees what is his to see (the rulebook's ``seen_by``). ``service`` is all of
that in Python, ``app`` its routes. A page is built on both: it gives ``create_app`` handlers of its
own, which ask ``service_of(request)``, and has what it draws drawn by ``Service.run``.

Comes in: HTTP requests. Goes out: answers, games, jobs with their news. Judges nothing, knows no page.
"""
