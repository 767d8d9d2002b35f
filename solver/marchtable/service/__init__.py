"""
Questions and games over HTTP: ``answer`` for clients on the network.

A request is a question for a worker process (``pool``, ``worker``, ``functions``), where positions
stay warm (``positions``) and nothing can harm the server. Games are kept in SQLite (``games``).
Each viewer sees what the rulebook's ``seen_by`` permits. ``service`` is the Python interface,
``app`` its routes. A page builds on both: it gives ``create_app`` handlers of its own, which call
``service_of(request)``, and draws through ``Service.run``.

Input: HTTP requests. Output: answers, games, jobs with progress. Judges nothing, knows no page.
"""
