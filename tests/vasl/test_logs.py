"""VASSAL logs read without knowing the game: steps, net effects, undone steps, chains, dice."""

from __future__ import annotations

import os
import random
import zipfile
from typing import TYPE_CHECKING

import pytest

from marchtable.errors import BadInputError
from marchtable.vasl.logs import LiveTable, dice_of, read_recording, sighting_of
from marchtable.vasl.logs.commands import DEEPEST, Chat, MovePiece, decoded
from tests.vasl.logs import Recorder, at_hex, cx, deep, flat, men, phase_track, vehicle
from tests.vasl.saves import ESCAPE, in_bytes, marker, obfuscated, pack, sequence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from marchtable.vasl.logs import Recording
    from tests.vasl.saves import Counter


def squad() -> Counter:
    """Return a squad that can be marked as moved."""
    return men("ge", "4-6-7 1sq", ("moved;moved58", "false"))


def played(path: Path) -> tuple[Recording, list[dict[str, tuple[str, int, int]]]]:
    """Return a one-file recording, and each piece's place before it and after each of its steps."""
    recording = read_recording([path])
    (part,) = recording.parts
    table = LiveTable(part.save)
    seen = [{name: image[:3] for name, image in table.images().items()}]
    for step in part.steps:
        table.play(step.commands)
        seen.append({name: image[:3] for name, image in table.images().items()})
    return recording, seen


def places(seen: dict[str, tuple[str, int, int]], *pieces: Counter) -> list[tuple[int, int]]:
    """Return where pieces lie."""
    return [seen[piece.id][1:] for piece in pieces]


def test_whole_stack_goes_by_its_own_number(tmp_path: Path) -> None:
    """A stack is named by its own number."""
    a, b = squad(), squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a, b)
    rec.begin().drag(a, b, to="E5")
    _, seen = played(rec.write(tmp_path / "a.vlog"))
    assert places(seen[0], a, b) == [at_hex("E4")] * 2
    assert places(seen[1], a, b) == [at_hex("E5")] * 2


@pytest.mark.parametrize("shape", [flat, deep])
@pytest.mark.parametrize("null", [False, True])
@pytest.mark.parametrize("hidden", [obfuscated, in_bytes, bytes])
def test_nested_steps_are_one_press_each(
    tmp_path: Path, shape: object, null: bool, hidden: object
) -> None:
    """However its commands are nested, a step is one press of PgDn."""
    a, b, c = squad(), squad(), squad()
    rec = Recorder("0\t0\t01")
    rec.shape, rec.null_first = shape, null  # type: ignore[assignment]
    rec.place("E4", a, b)
    rec.place("F4", c)
    rec.begin()
    rec.drag(b, to="E5")  # drawn out of its stack
    rec.drag(a, to="E5")  # and joined again
    rec.drag(a, b, to="E6", snap=[c])
    recording, seen = played(rec.write(tmp_path / "a.vlog", hidden=hidden))  # type: ignore[arg-type]
    assert [step.number for step in recording.parts[0].steps] == [1, 2, 3]
    assert places(seen[1], a, b, c) == [at_hex("E4"), at_hex("E5"), at_hex("F4")]
    assert places(seen[2], a, b) == [at_hex("E5")] * 2
    assert places(seen[3], a, b, c) == [at_hex("E6"), at_hex("E6"), at_hex("F4")]


def test_pieces_that_are_moved_away_and_back_have_not_changed(tmp_path: Path) -> None:
    """The net effect counts: snapped pieces are back in place."""
    a, c = squad(), squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.place("F4", c)
    rec.begin().drag(a, to="E5", snap=[c])
    (part,) = read_recording([rec.write(tmp_path / "a.vlog")]).parts
    changes, _ = LiveTable(part.save).play(part.steps[0].commands)
    assert set(changes) == {a.id}


def test_several_stacks_in_one_step(tmp_path: Path) -> None:
    """Several stacks go in one step."""
    a, b = squad(), squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.place("F4", b)
    rec.begin().drag_stacks([a], [b], to="F5")
    _, seen = played(rec.write(tmp_path / "a.vlog"))
    assert places(seen[1], a, b) == [at_hex("F5")] * 2


def test_keyboard(tmp_path: Path) -> None:
    """A key moves a piece twice in one step."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin().press(a, 56, 32, "F4")
    _, seen = played(rec.write(tmp_path / "a.vlog"))
    assert places(seen[1], a) == [at_hex("F4")]


@pytest.mark.parametrize("marked", [True, False])
def test_undone_steps(tmp_path: Path, marked: bool) -> None:
    """A step that was taken back does not count."""
    a, b = squad(), squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a, b)
    rec.begin()
    rec.drag(b, to="E5")
    rec.drag(b, to="E6")
    rec.undo(marked=marked)
    rec.drag(b, to="F5")
    version = "3.7.9" if marked else "3.6.6"
    recording, seen = played(rec.write(tmp_path / "a.vlog", vassal=version))
    assert [step.undone for step in recording.parts[0].steps] == [False, True, True, False]
    assert places(seen[4], a, b) == [at_hex("E4"), at_hex("F5")]


def test_going_back_by_hand_is_no_undo_where_undo_is_marked(tmp_path: Path) -> None:
    """VASSAL 3.6.7 and later mark undone steps: all others count."""
    a = men("ge", "4-6-7 1sq")
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin()
    rec.drag(a, to="E5")
    rec.drag(a, to="E4")
    new, _ = played(rec.write(tmp_path / "a.vlog", vassal="3.6.7"))
    old, _ = played(rec.write(tmp_path / "b.vlog", vassal="3.5.8"))
    assert [step.undone for step in new.parts[0].steps] == [False, False]
    assert [step.undone for step in old.parts[0].steps] == [True, True]


def test_two_steps_undone_in_a_row(tmp_path: Path) -> None:
    """Steps are taken back in turn."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin()
    rec.drag(a, to="E5")
    rec.drag(a, to="E6")
    rec.undo()
    rec.undo()
    recording, _ = played(rec.write(tmp_path / "a.vlog"))
    assert all(step.undone for step in recording.parts[0].steps)


def test_going_back_by_hand_is_no_undo_where_moved_marks_are_on(tmp_path: Path) -> None:
    """Moved marks distinguish going back from an undo."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin()
    rec.drag(a, to="E5")
    rec.drag(a, to="E4")
    recording, _ = played(rec.write(tmp_path / "a.vlog"))
    assert not any(step.undone for step in recording.parts[0].steps)


def test_markers_and_replaced_pieces(tmp_path: Path) -> None:
    """Counters appear, are replaced and disappear."""
    a, half, marked = squad(), men("ge", "2-4-7 1hs"), cx()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin()
    rec.put(marked, a)
    rec.replace(a, half)
    rec.take(marked, eliminated=True)
    _, seen = played(rec.write(tmp_path / "a.vlog"))
    assert marked.id in seen[1]
    assert a.id not in seen[2]
    assert places(seen[2], half) == [at_hex("E4")]
    assert seen[3][marked.id][0] == "Casualties"


def chain(tmp_path: Path, *, last: Sequence[str] = ("E6",)) -> tuple[Recorder, list[Path], Counter]:
    """Write a log of E4 to E5, and one that begins there and goes on."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin().drag(a, to="E5")
    first = rec.write(tmp_path / "a.vlog", date=1)
    rec.begin()
    for at in last:
        rec.drag(a, to=at)
    return rec, [first, rec.write(tmp_path / "b.vlog", date=2)], a


def test_logs_that_follow(tmp_path: Path) -> None:
    """A log that begins where another ends follows it."""
    _, paths, _ = chain(tmp_path)
    recording = read_recording(paths[::-1])  # their dates say which is first
    assert [one.link for one in recording.files] == ["begins", "follows"]
    assert [(step.file, step.number) for step in recording.parts[0].steps] == [
        ("a.vlog", 1),
        ("b.vlog", 1),
    ]


def test_log_that_contains_the_one_before(tmp_path: Path) -> None:
    """Steps that two logs have count once."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin().drag(a, to="E5")
    first = rec.write(tmp_path / "a.vlog", date=1)
    rec.drag(a, to="E6")
    recording = read_recording([first, rec.write(tmp_path / "b.vlog", date=2)])
    assert [one.link for one in recording.files] == ["begins", "contains"]
    assert [(step.file, step.number) for step in recording.parts[0].steps] == [
        ("a.vlog", 1),
        ("b.vlog", 2),
    ]
    again = read_recording([tmp_path / "b.vlog", tmp_path / "b.vlog"])
    assert [one.link for one in again.files] == ["begins", "repeats"]


def test_log_that_overlaps_the_one_before(tmp_path: Path) -> None:
    """A log may begin in the middle of another."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin().drag(a, to="E5")
    rec.drag(a, to="E6")
    first = rec.write(tmp_path / "a.vlog", date=1)
    late = Recorder("0\t0\t01")
    b = squad()
    late.place("E5", b)
    late.place("A1")
    b.id, stack = a.id, rec.stack_of[a.id]
    late.pieces, late.where = {a.id: b}, {a.id: ("Main Map", *at_hex("E5"))}
    late.states = {a.id: ["null", "null;", "true", "unit"]}
    late.stack_of, late.members = {a.id: stack}, {stack: [a.id]}
    late.begin().drag(b, to="E6")
    late.drag(b, to="E7")
    recording = read_recording([first, late.write(tmp_path / "b.vlog", date=2)])
    assert [one.link for one in recording.files] == ["begins", "overlaps"]
    assert [(step.file, step.number) for step in recording.parts[0].steps][-1] == ("b.vlog", 2)


def test_gap(tmp_path: Path) -> None:
    """A gap between files is named."""
    rec, paths, a = chain(tmp_path)
    rec.drag(a, to="E7")
    rec.begin().drag(a, to="E8")
    recording = read_recording([*paths, rec.write(tmp_path / "c.vlog", date=3)])
    assert [one.link for one in recording.files] == ["begins", "follows", "gap"]
    assert "counters differ" in recording.files[2].note
    assert len(recording.parts) == 2


@pytest.mark.parametrize(
    ("text", "kind", "faces"),
    [
        (
            "~*** (Rally DR) 4,1 ***   <Anna>   [1 / 1   avg   5,00 (5.0)]   (01.22)",
            "Rally",
            (4, 1),
        ),
        ("*** (TH DR) 2,6 ***   <Anna> Turret", "TH", (2, 6)),
        ("*** (Other dr) 3 ***   <Anna>", "Other", (3,)),
        ("*** DR = 3,4 *** <Anna>", "Other", (3, 4)),
        ("*** 3d6 = 1,2,3 *** <Anna>", "Other", (1, 2, 3)),
        ("*** (IFT DR) 3,4,2 *** - total with", "IFT", (3, 4, 2)),
        ("*** (IFT DR) 3,4 ***   &lt;Anna&gt;   SAN", "IFT", (3, 4)),
    ],
)
def test_dice(text: str, kind: str, faces: tuple[int, ...]) -> None:
    """Rolls are read as old and new versions write them."""
    dice = dice_of(text)
    assert dice is not None
    assert (dice.kind, dice.faces) == (kind, faces)
    assert dice.player in ("Anna", "")


def test_lines_that_are_no_dice() -> None:
    """Text typed by a player is no roll."""
    assert dice_of("<Anna> - I roll *** (IFT DR) 3,4 ***") is None
    assert dice_of("*** (IFT DR) 9,4 ***   <Anna>") is None


def test_checks_of_a_line_of_sight(tmp_path: Path) -> None:
    """A check of LOS is read."""
    rec = Recorder("0\t0\t01")
    rec.place("E4", squad())
    rec.begin().see("Anna", "E4", "K9", 8)
    (part,) = read_recording([rec.write(tmp_path / "a.vlog")]).parts
    (chat,) = part.steps[0].chats
    assert sighting_of(chat) == ("Anna", "E4", "K9", 8)
    assert sighting_of("<Anna> - nothing of the kind") is None


def test_deep_nesting_is_rejected_for_its_step_alone(tmp_path: Path) -> None:
    """A step nested too deep leaves the others as they are."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin().drag(a, to="E5")
    rec.shape = deep
    rec.record(["null"] * (DEEPEST + 5), [], lambda: None)
    rec.drag(a, to="E6")
    recording, seen = played(rec.write(tmp_path / "a.vlog"))
    assert [bool(step.unread) for step in recording.parts[0].steps] == [False, True, False]
    assert places(seen[3], a) == [at_hex("E6")]


def test_unknown_members_are_passed_over() -> None:
    """Members unknown to every version are skipped."""
    step = sequence(
        ESCAPE, "LOG\tSOMETHING\tnew", "LOG\tM/1/Main Map/5/6/null/Main Map/1/2/null", "LOG\tnull"
    )
    assert decoded(step) == [MovePiece("1", "Main Map", 5, 6, "")]


def test_quoted_commands_within_others() -> None:
    """A command that ends with a backslash is quoted, and so is a list of such commands."""
    inner = sequence(ESCAPE, "CHATa\\", "CHATb\\")
    middle = sequence(ESCAPE, "LOG\tCHATc", inner)
    step = sequence(ESCAPE, "LOG\tCHATd", middle, "CHATe")
    texts = [one.text for one in decoded(step) if isinstance(one, Chat)]
    assert texts == ["d", "c", "a\\", "b\\", "e"]


def test_prefixes_without_end() -> None:
    """A million prefixes take no longer to read than their letters."""
    assert decoded("LOG\t" * 1_000_000 + "M/1/Main Map/5/6/null") == [
        MovePiece("1", "Main Map", 5, 6, "")
    ]


@pytest.mark.slow
def test_twenty_thousand_steps(tmp_path: Path) -> None:
    """A huge log is read."""
    a = squad()
    rec = Recorder("0\t0\t01")
    rec.place("E4", a)
    rec.begin()
    for _ in range(100):
        rec.drag(a, to="E5")
        rec.drag(a, to="E4")
    rec.steps *= 100
    recording, _ = played(rec.write(tmp_path / "a.vlog"))
    assert recording.files[0].steps == 20_000


@pytest.mark.parametrize("seed", range(40))
def test_damage_is_one_line_without_secrets(tmp_path: Path, seed: int) -> None:
    """Damage is reported in one line without the password."""
    rng = random.Random(seed)
    a, tank = squad(), vehicle("ge", "PzKpfw IVH")
    rec = Recorder("0\t0\t01", user="hunter2")
    rec.place("E4", a)
    rec.place("F4", tank, marker("Motion"))
    rec.place((100, 100), phase_track())
    rec.begin().drag(a, to="E5")
    rec.turn(tank, "E")
    text = bytearray(rec.text().encode())
    for _ in range(rng.randint(1, 30)):
        at = rng.randrange(12, len(text))
        if rng.random() < 0.5:
            text[at] = rng.choice(b"/\\;\t\x1b'0,")
        else:
            del text[at : at + rng.randint(1, 9)]
    path = pack(tmp_path / "a.vlog", {"savedGame": obfuscated(bytes(text))})
    try:
        recording = read_recording([path])
    except BadInputError as error:
        said = str(error)
    else:
        said = " ".join(step.unread for part in recording.parts for step in part.steps)
    assert "hunter2" not in said
    assert "\n" not in said
    assert ESCAPE not in said


def test_password_is_kept_nowhere(tmp_path: Path) -> None:
    """No piece and no image of the table has the password."""
    a = men("ge", "4-6-7 1sq", by="hunter2")
    rec = Recorder("0\t0\t01", user="hunter2")
    rec.place("E4", a)
    rec.begin().drag(a, to="E5")
    rec.change(a, (1, "null;"))
    rec.change(a, (1, "hunter2;|0"))
    (part,) = read_recording([rec.write(tmp_path / "a.vlog")]).parts
    table = LiveTable(part.save)
    for step in part.steps:
        table.play(step.commands)
    piece = table.piece(a.id)
    assert piece is not None
    assert piece.masked_by == "player 1"
    assert "hunter2" not in repr((piece, table.images()))


@pytest.mark.parametrize("kind", ["folder", "pipe", "encrypted"])
def test_what_is_no_file_to_read(tmp_path: Path, kind: str) -> None:
    """A folder, a pipe or an encrypted entry is rejected at once, with a plain message."""
    path = tmp_path / "game.vlog"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("savedGame", "x")
        data = bytearray(path.read_bytes())
        data[data.find(b"PK\x01\x02") + 8] |= 1
        path.write_bytes(data)
    with pytest.raises(
        BadInputError, match=r"is encrypted|expected a file, not a folder or a pipe"
    ):
        read_recording([path])
