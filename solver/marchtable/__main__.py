"""``python -m marchtable``: the command line."""

from __future__ import annotations

from marchtable.cli.guard import alone
from marchtable.cli.main import main

if __name__ == "__main__":
    alone()
    main()
