"""Begins a game and plays entries forever, reporting each stored one; to be killed."""

from __future__ import annotations

import sys
from pathlib import Path

from marchtable.service.games import Games, GameStart

path, number = Path(sys.argv[1]), sys.argv[2]
games = Games(path)
id = games.begin(GameStart(b"{}", number, "asl", "key"))  # noqa: A001
sys.stdout.write(f"{id}\n")
for n in range(1_000_000):
    game = games.game(id)
    rows = [(f"{number} {n} {part}", "LEGAL", b'{"n": %d}' % n, f"key {n}") for part in "ab"]
    games.append(game, rows)
    if n % 7 == 6:
        games.move(games.game(id), -1)
        games.move(games.game(id), 1)
    sys.stdout.write(f"{n}\n")
    sys.stdout.flush()
