"""
Games in SQLite: an append-only store of entries, and each branch's place after each change.

An entry points to its predecessor, so branches share their common part; undo and redo move a
branch's place without deleting anything. An acknowledged change is on disk.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.errors import BadInputError, UnknownNameError
from marchtable.nearest import unknown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = [
    "MAIN",
    "Conflict",
    "GameBranch",
    "GameStart",
    "Games",
    "LogEntry",
    "Taken",
    "check_database",
    "check_length",
    "new_id",
]

NO_GAME = "no such game; expected its id, the last part of its address"
MAIN = "main"
"""The initial branch of every game."""
MEGABYTE = 2**20
LOGGED = 16
"""Pages of the write-ahead log after which it is written to the database."""
SPARE = 128 * 2**10
"""Disk space (bytes) reserved for deleting: more than the write-ahead log takes."""
MOST_BRANCHES = 200
MOST_ENTRIES = 10_000

_TABLES = """
create table if not exists games (
    id text primary key, name text not null, rulebook text not null, scene blob not null,
    key text not null, made text not null default current_timestamp, begun_by text
) strict;
create table if not exists entries (
    id integer primary key, game text not null references games, before integer references entries,
    line text not null, status text not null, verdict blob not null, key text not null
) strict;
create table if not exists places (
    game text not null references games, branch text not null, version integer not null,
    at integer references entries, tip integer references entries,
    primary key (game, branch, version)
) strict, without rowid;
create index if not exists entries_of_game on entries(game);
"""
_PATH = """
with recursive path(id, before, line, status, key) as (
    select id, before, line, status, key from entries where id = ?
    union all
    select e.id, e.before, e.line, e.status, e.key from entries e join path on e.id = path.before
) select id, line, status, key from path
"""


class Conflict(Exception):  # noqa: N818 - it is an answer, no fault
    """Someone else has changed the game meanwhile."""

    def __init__(self, version: int) -> None:
        super().__init__("the game was changed meanwhile: read it again")
        self.version = version


class Taken(Conflict):
    """There is a branch of that name already."""


class GameStart(NamedTuple):
    """
    The start of a game.

    Parameters
    ----------
    scene
        The scene as JSON.
    name, rulebook
        The names of the game and its rulebook.
    key
        The position's key.
    by
        The side that began it; None if the referee did.
    """

    scene: bytes
    name: str
    rulebook: str
    key: str
    by: str | None = None


class LogEntry(NamedTuple):
    """An entry of a log: its line, the status of its verdict, and the position's key after it."""

    id: int
    line: str
    status: str
    key: str


class GameBranch(NamedTuple):
    """
    A branch of a game.

    Parameters
    ----------
    id, branch
        The game's id and the branch's name.
    start
        The game's start.
    version
        A counter of the branch's changes.
    log
        All entries, including those taken back that can be played again.
    step
        How many of them are played.
    branches
        The names of all branches.
    shown
        Numbers of the entries that a side knows of; None: all. Its steps count only these.
    sight
        A digest of what that side sees of the game.
    """

    id: str
    branch: str
    start: GameStart
    version: int
    log: tuple[LogEntry, ...]
    step: int
    branches: tuple[str, ...]
    shown: tuple[int, ...] | None = None
    sight: str = ""

    @property
    def played(self) -> list[str]:
        """The lines played."""
        return [entry.line for entry in self.log[: self.step]]

    @property
    def steps(self) -> int:
        """How many of the entries played the viewer knows of."""
        return self.step if self.shown is None else len(self.shown)

    def at(self, step: int | None) -> int:
        """Return how many entries precede a step as the viewer counts; by default, all played."""
        if step is None:
            return self.step
        most = len(self.log if self.shown is None else self.shown)
        if not 0 <= step <= most:
            raise BadInputError(f"expected a step from 0 to {most}, got {step}", field="step")
        return step if self.shown is None or not step else self.shown[step - 1] + 1


def check_length(game: GameBranch, more: int) -> None:
    """Raise BadInputError if so many more entries would make a log too long."""
    if game.step + more > MOST_ENTRIES:
        raise BadInputError(f"expected at most {MOST_ENTRIES:,} entries in a log", field="log")


def check_database(path: Path) -> None:
    """Raise BadInputError for a file that cannot hold games."""
    try:
        Games(path).close()
    except sqlite3.Error as error:
        raise BadInputError(f"games cannot be kept there: {error}", source=str(path)) from None


def new_id() -> str:
    """Return an unguessable id."""
    return secrets.token_urlsafe(12)


class Games:
    """
    The stored games.

    Parameters
    ----------
    path
        The database; None keeps games in memory. It must be used from one thread at a time.
    disk
        Its size limit in MB.
    """

    def __init__(self, path: Path | None, disk: int = 2048) -> None:
        self.base = sqlite3.connect(
            path or ":memory:", isolation_level=None, check_same_thread=False, timeout=10.0
        )
        self.base.execute("pragma journal_mode = wal")
        self.base.execute(f"pragma wal_autocheckpoint = {LOGGED}")
        # acknowledged means stored, whatever happens
        self.base.execute("pragma synchronous = full")
        self.base.execute("pragma foreign_keys = on")
        self._spare = None if path is None else path.with_name(f"{path.name}-spare")
        self._reserve()
        (page,) = self.base.execute("pragma page_size").fetchone()
        self.base.execute(f"pragma max_page_count = {disk * MEGABYTE // page}")
        self.base.executescript(_TABLES)
        columns = [name for _, name, *_ in self.base.execute("pragma table_info(games)")]
        if "begun_by" not in columns:  # written by an earlier version
            self.base.execute("alter table games add column begun_by text")

    def close(self) -> None:
        """Close the database."""
        self.base.close()
        if self._spare is not None:
            self._spare.unlink(missing_ok=True)

    def _reserve(self) -> None:
        """Reserve space, so that a game can be deleted when the disk is full."""
        if self._spare is None:
            return
        try:
            self._spare.write_bytes(bytes(SPARE))
        except OSError:
            self._spare.unlink(missing_ok=True)

    def _make_room(self) -> None:
        """Give the reserved space to the database, and truncate the write-ahead log."""
        if self._spare is not None:
            self._spare.unlink(missing_ok=True)
        self.base.execute("pragma wal_checkpoint(truncate)")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Run a transaction with exclusive write access."""
        self.base.execute("begin immediate")
        try:
            yield self.base
        except BaseException:
            if self.base.in_transaction:  # SQLite ends it by itself if there is no space
                self.base.execute("rollback")
            raise
        self.base.execute("commit")

    def begin(
        self,
        start: GameStart,
        id: str | None = None,  # noqa: A002 - the field's name
        most: int | None = None,
    ) -> str:
        """
        Store a new game; return its id, by default a new one.

        If the side that begins it already has `most` games, store nothing and return an empty id.
        """
        id = id or new_id()  # noqa: A001
        with self._writing() as base:
            (count,) = base.execute(
                "select count(*) from games where begun_by = ?", (start.by,)
            ).fetchone()
            if most is not None and count >= most:
                return ""
            base.execute(
                "insert into games (id, scene, name, rulebook, key, begun_by) values (?, ?, ?, ?, ?, ?)",
                (id, *start),
            )
            base.execute("insert into places values (?, ?, 0, null, null)", (id, MAIN))
        return id

    def delete(self, id: str) -> None:  # noqa: A002 - the field's name
        """Delete a game with all its entries, even on a full disk."""
        try:
            self._delete(id)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_FULL:
                raise
            self._make_room()
            self._delete(id)
            self._make_room()
            self._reserve()

    def _delete(self, id: str) -> None:  # noqa: A002
        self.base.execute("pragma foreign_keys = off")  # they would search for each entry's own
        try:
            with self._writing() as base:
                for table, key in (("places", "game"), ("entries", "game"), ("games", "id")):
                    base.execute(f"delete from {table} where {key} = ?", (id,))  # noqa: S608
        finally:
            self.base.execute("pragma foreign_keys = on")

    def listed(self) -> list[dict[str, Any]]:
        """Return the games, latest first, each with the entries of all its branches."""
        found = self.base.execute(
            "select g.id, g.name, g.rulebook, g.made, g.begun_by, count(e.id) from games g"
            " left join entries e on e.game = g.id group by g.rowid order by g.rowid desc limit 1000"
        )
        names = ("game", "name", "rulebook", "made", "by", "entries")
        return [dict(zip(names, row, strict=True)) for row in found]

    def game(self, id: str, branch: str = MAIN) -> GameBranch:  # noqa: A002 - the field's name
        """Return a branch of a game; raise UnknownNameError."""
        row = self.base.execute(
            "select scene, name, rulebook, key, begun_by from games where id = ?", (id,)
        ).fetchone()
        if row is None:
            raise UnknownNameError(NO_GAME, field="game")
        version, at, tip = self._place(id, branch)
        log = [LogEntry(*entry) for entry in self.base.execute(_PATH, (tip,))][::-1]
        step = next((n for n, entry in enumerate(log, 1) if entry.id == at), 0)
        return GameBranch(
            id, branch, GameStart(*row), version, tuple(log), step, tuple(self._branches(id))
        )

    def verdicts(self, game: GameBranch) -> list[bytes]:
        """Return the verdicts on a branch's entries, as JSON; raise UnknownNameError."""
        one = "select verdict from entries where id = ?"
        found = [self.base.execute(one, (entry.id,)).fetchone() for entry in game.log]
        if None in found:
            raise UnknownNameError(NO_GAME, field="game")
        return [verdict for (verdict,) in found]

    def _branches(self, id: str) -> list[str]:  # noqa: A002
        found = self.base.execute(
            "select branch from places where game = ? and version = 0 order by branch != ?, branch",
            (id, MAIN),
        )
        return [name for (name,) in found]

    def _place(self, id: str, branch: str) -> tuple[int, int | None, int | None]:  # noqa: A002
        """Return a branch's version, its current entry, and the last that can be played again."""
        row: tuple[int, int | None, int | None] | None = self.base.execute(
            "select version, at, tip from places where game = ? and branch = ? "
            "order by version desc limit 1", (id, branch),
        ).fetchone()  # fmt: skip
        if row is None:
            raise UnknownNameError(unknown("branch", branch, self._branches(id)), field="branch")
        return row

    @contextmanager
    def _changing(self, game: GameBranch) -> Iterator[sqlite3.Connection]:
        """Change a branch if it is unchanged since it was read; raise Conflict."""
        with self._writing() as base:
            version = self._place(game.id, game.branch)[0]
            if version != game.version:
                raise Conflict(version)
            yield base

    def append(self, game: GameBranch, entries: Sequence[tuple[str, str, bytes, str]]) -> None:
        """Append entries (line, status, verdict, key after) at a branch's place; raise Conflict."""
        check_length(game, len(entries))
        with self._changing(game) as base:
            at = game.log[game.step - 1].id if game.step else None
            for entry in entries:
                at = base.execute(
                    "insert into entries (game, before, line, status, verdict, key) "
                    "values (?, ?, ?, ?, ?, ?)", (game.id, at, *entry),
                ).lastrowid  # fmt: skip
            self._put(base, game, at, at)

    def move(self, game: GameBranch, by: int) -> None:
        """
        Take back what was played last (-1), or play it again (+1); raise Conflict.

        :meth:`next_stop` returns the resulting step.
        """
        step = self.next_stop(game, by)
        with self._changing(game) as base:
            at = game.log[step - 1].id if step else None
            self._put(base, game, at, game.log[-1].id)

    def stops(self, game: GameBranch) -> list[int]:
        """Return the steps of a log between which entries were played together."""
        stood = {at for (at,) in self.base.execute(
            "select distinct at from places where game = ? "
            "and (branch = ? or version > 0 and at is tip)", (game.id, game.branch),
        )}  # fmt: skip
        return [0, *(n for n, entry in enumerate(game.log, 1) if entry.id in stood)]

    def next_stop(self, game: GameBranch, by: int) -> int:
        """
        Return the step to which a move leads; raise BadInputError if there is none.

        Entries that were played together are taken back and replayed together, even if another
        branch began between them.
        """
        there = [n for n in self.stops(game) if (n - game.step) * by > 0]
        if not there:
            what = "take back" if by < 0 else "play again"
            raise BadInputError(f"there is nothing to {what}", field="step")
        return there[-1] if by < 0 else there[0]

    def _put(
        self, base: sqlite3.Connection, game: GameBranch, at: int | None, tip: int | None
    ) -> None:
        base.execute(
            "insert into places values (?, ?, ?, ?, ?)",
            (game.id, game.branch, game.version + 1, at, tip),
        )

    def fork(self, game: GameBranch, name: str, step: int) -> None:
        """Begin a branch at a step of another, which does not change; raise Taken."""
        if name in game.branches:
            raise Taken(game.version)
        if len(game.branches) >= MOST_BRANCHES:
            raise BadInputError(f"expected at most {MOST_BRANCHES} branches", field="name")
        at = game.log[step - 1].id if step else None
        with self._writing() as base:
            self._place(game.id, game.branch)  # raises if it was deleted meanwhile
            if name in self._branches(game.id):
                raise Taken(game.version)
            base.execute("insert into places values (?, ?, 0, ?, ?)", (game.id, name, at, at))
