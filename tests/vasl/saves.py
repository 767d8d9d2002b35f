"""Fabricate saved games of VASSAL, sound and damaged."""

from __future__ import annotations

import zipfile
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

ESCAPE = "\x1b"
MODULE_DATA = (
    "<data><version>{}</version><VassalVersion>3.7.9</VassalVersion><name>{}</name></data>"
)
numbers = count(1000)


def sequence(delimiter: str, *members: str) -> str:
    """Return a list as VASSAL writes it: delimiters in its members escaped."""
    return delimiter.join(_member(delimiter, one) for one in members)


def _member(delimiter: str, text: str) -> str:
    escaped = text.replace(delimiter, f"\\{delimiter}")
    quoted = text.endswith("\\") or (text.startswith("'") and text.endswith("'"))
    return f"'{escaped}'" if quoted else escaped


def nest(members: list[str]) -> str:
    """Return a list of traits: each with all its inner ones."""
    *outer, found = members
    for member in reversed(outer):
        found = sequence("\t", member, found)
    return found


class Counter:
    """A piece: its name, image and traits, outermost first, each with its state."""

    def __init__(
        self, name: str, *traits: tuple[str, str], image: str = "", gpid: str = ""
    ) -> None:
        self.id = str(next(numbers))
        self.name, self.image, self.gpid, self.traits = name, image, gpid, traits

    def command(self, where: str, x: int, y: int) -> str:
        """Return the command that puts it on a map."""
        types = [kind for kind, _ in self.traits]
        states = [state for _, state in self.traits]
        types.append(sequence(";", "piece", "K", "D", self.image, self.name))
        states.append(sequence(";", where, str(x), str(y), self.gpid))
        return sequence("/", "+", self.id, nest(types), nest(states))


def layer(
    *names: str, level: int = 1, images: str = "", key: str = "", name: str = ""
) -> tuple[str, str]:
    """Return a layer whose levels have these names; a negative level is inactive."""
    kind = sequence(
        ";", "emb2", key, "2", "F", "", "2", "", "", "2", "", "", "", "0", "false", "0", "0",
        images, sequence(",", *names), "true", name, "", "", "false", "", "1", "1", "true",
    )  # fmt: skip
    return kind, str(level)


def concealable(nation: str, by: str = "null") -> tuple[str, str]:
    """Return the trait of a counter that can be concealed, perhaps concealed."""
    return f"conceal;C;{nation}/{nation}qmark;{nation};;", f"{by};"


def men(nation: str, name: str, *traits: tuple[str, str], by: str = "null") -> Counter:
    """Return a counter of men, such as ``men("ge", "4-6-7 1sq")``."""
    return Counter(
        name, ("hide;72,130;HIP;;player:", "null"), concealable(nation, by), *traits,
        ("mark;DBCounterType", "unit"), image=f"{nation}/{nation}xyz",
    )  # fmt: skip


def vehicle(
    nation: str, name: str, *traits: tuple[str, str], vca: int = 3, gpid: str = "", by: str = "null"
) -> Counter:
    """Return a vehicle that points along a hexspine, from 1 for NNE on clockwise."""
    names = [f"+ vca{(number + 2) % 6 + 1}" for number in range(6)]
    turn = (vca - 3) % 6
    return Counter(
        name, ("rotate;6;88,130;90,130;CA cw;CA ccw;;;", str(turn)), concealable(nation, by),
        layer(*names, level=turn + 1), *traits, image=f"{nation}/veh/some", gpid=gpid,
    )  # fmt: skip


def marker(name: str, *traits: tuple[str, str]) -> Counter:
    """Return a marker that belongs to no player."""
    return Counter(name, ("mark;DBCounterType", "common"), *traits, image="MS/some")


def works(name: str, *traits: tuple[str, str]) -> Counter:
    """Return a counter made for a Location."""
    return Counter(name, ("mark;Location", ""), *traits, image="ML/some")


def question(nation: str, owner: str = "her") -> Counter:
    """Return a concealment counter."""
    return Counter("?", (f"concealment;{owner};{nation}", ""), image=f"{nation}/{nation}qmark58")


class Game:
    """A saved game: boards, and stacks at pixels of the main map."""

    def __init__(self, *boards: str, where: str = "Main Map") -> None:
        self.where, self.boards = where, boards
        self.found: list[str] = []
        self.information = "INFO\tAxis\tAxis\t1\t ? \t ? \t ? \t ? \t?\t?\t"

    def stack(self, x: int, y: int, *pieces: Counter) -> Game:
        """Put pieces on one another, bottom to top."""
        self.found += [piece.command(self.where, x, y) for piece in pieces]
        names = [piece.id for piece in pieces]
        self.found.append(
            sequence(
                "/",
                "+",
                str(next(numbers)),
                "stack",
                ";".join([self.where, str(x), str(y), *names]),
            )
        )
        return self

    def alone(self, piece: Counter, x: int, y: int) -> Game:
        """Put a piece into no stack."""
        self.found.append(piece.command(self.where, x, y))
        return self

    def text(self) -> str:
        """Return the commands that restore it, the pieces one level deeper than the rest."""
        boards = "bd\t" + "bd\t".join(f"{board}\t" for board in self.boards)
        inner = sequence(ESCAPE, "", *self.found)
        return sequence(
            ESCAPE, "begin_save", inner, self.information, boards, "NOTES\t", "end_save"
        )

    def write(self, path: Path, *, module: str = "VASL", version: str = "6.6.9") -> Path:
        """Write it as VASSAL does."""
        about = MODULE_DATA.format(version, module)
        return pack(
            path, {"moduledata": about.encode(), "savedGame": obfuscated(self.text().encode())}
        )


def obfuscated(data: bytes, key: int = 0xA7) -> bytes:
    """Return bytes as VASSAL hides them: a key, then each byte XORed with it, in hex."""
    return b"!VCSK" + f"{key:02x}".encode() + bytes(byte ^ key for byte in data).hex().encode()


def in_bytes(data: bytes, key: int = 0xA7) -> bytes:
    """Return bytes as VASSAL 3.8 hides them: a key, then each byte XORed with it, as they are."""
    return b"VOBS" + bytes([key]) + bytes(byte ^ key for byte in data)


def pack(path: Path, entries: dict[str, bytes]) -> Path:
    """Write a ZIP."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def pixel(column: int, row: int) -> tuple[int, int]:
    """Return where a hex of a geomorphic board at the upper left corner lies: A1 is (0, 1)."""
    return 400 + round(56.25 * column), 400 + round(64.5 * row - (0 if column % 2 else 32.25))
