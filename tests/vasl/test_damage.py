"""Damaged and hostile archives: one clear line, nothing else."""

from __future__ import annotations

import gzip
import os
import struct
import tracemalloc
import zipfile
import zlib
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from marchtable.errors import BadInputError
from marchtable.files.boards import load_board
from marchtable.vasl import import_board
from tests.vasl.forge import Forge, framed, pack

FORGE = Forge(3, 2).line("B1", "C1", what="Dirt Road")
LOS_DATA, METADATA, PAYLOAD = FORGE.los_data(), FORGE.metadata(), FORGE.payload()


def rejection(path: Path, table: Path | None = None) -> str:
    """Return the message with which an archive is rejected."""
    with pytest.raises(BadInputError) as caught:
        import_board(path, table)
    message = str(caught.value)

    assert len(message.splitlines()) == 1
    return message


def gzipped(payload: bytes) -> bytes:
    """Return a payload as ``LOSData``."""
    return gzip.compress(framed(payload), mtime=0)


def header(*sizes: int) -> bytes:
    """Return the fabricated board's payload with other sizes in its header."""
    return struct.pack(">4i", *sizes) + PAYLOAD[16:]


LOS_FAULTS = {
    "empty": (b"", "Java object stream"),
    "not gzip": (b"hello world, hello world", "gzip"),
    "cut gzip": (LOS_DATA[:-20], "cut short"),
    "bad checksum": (LOS_DATA[:-8] + b"\0\0\0\0" + LOS_DATA[-4:], "gzip"),
    "not java": (gzip.compress(b"PNG" + bytes(100)), "Java object stream"),
    "java object": (gzip.compress(b"\xac\xed\0\5sr\0\1"), "Java record"),
    "empty blocks": (gzip.compress(b"\xac\xed\0\5" + b"\x77\0" * 5000), "header"),
    "tiny blocks": (
        gzip.compress(framed(header(100, 100, 6000, 4000)) + b"\x77\x01\0" * 30_000),
        "more blocks",
    ),
    "no header": (gzipped(b"\0\0\0\3"), "header"),
    "negative columns": (gzipped(header(-3, 2, 112, 129)), "hexes"),
    "absurd hexes": (gzipped(header(200, 200, 112, 129)), "hexes"),
    "zero width": (gzipped(header(3, 2, 0, 129)), "pixels"),
    "negative height": (gzipped(header(3, 2, 112, -129)), "pixels"),
    "absurd pixels": (gzipped(header(3, 2, 2**31 - 1, 2**31 - 1)), "pixels"),
    "fewer pixels": (gzipped(PAYLOAD[:5000]), "fewer pixels"),
    "more pixels": (gzipped(PAYLOAD + bytes(50_000)), "longer"),
    "one byte more": (gzipped(PAYLOAD + b"\0"), "hexes"),
    "block past the end": (gzip.compress(framed(PAYLOAD) + b"\x7a\xff\xff\xff\xff"), "block"),
    "unknown terrain": (gzipped(PAYLOAD[:17] + b"\xff" + PAYLOAD[18:]), "terrain code 255"),
}


@pytest.mark.parametrize("fault", LOS_FAULTS)
def test_los_data(tmp_path: Path, fault: str) -> None:
    """A fault in the pixels is named in one line."""
    data, said = LOS_FAULTS[fault]

    assert said in rejection(pack(tmp_path / "bd07", data, METADATA))


XML_FAULTS = {
    "empty": (b"", "not well-formed"),
    "not xml": (b"<boardMetadata", "not well-formed"),
    "other root": (b"<html/>", "expected <boardMetadata>"),
    "no width": (b'<boardMetadata height="2"/>', "no attribute width"),
    "text width": (b'<boardMetadata width="three" height="2"/>', "number"),
    "negative": (b'<boardMetadata width="-3" height="2"/>', "number"),
    "digits": (b'<boardMetadata width="%s" height="2"/>' % (b"9" * 9000), "number"),
    "nan": (b'<boardMetadata width="3" height="2" hexWidth="NaN"/>', "number"),
    "inf": (b'<boardMetadata width="3" height="2" A1CenterX="-inf"/>', "number"),
    "zero hexes": (b'<boardMetadata width="3" height="2" hexHeight="0"/>', "number"),
    "flag": (b'<boardMetadata width="3" height="2" altHexGrain="maybe"/>', "TRUE or FALSE"),
    "other size": (b'<boardMetadata width="4" height="2"/>', "3 x 2"),
    "other grid": (b'<boardMetadata width="3" height="2" hexHeight="50"/>', "hexes"),
    "flat hexes": (b'<boardMetadata width="3" height="2" hexHeight="20"/>', "do not fill"),
    "rows above": (b'<boardMetadata width="3" height="2" A1CenterY="200"/>', "above row 0"),
    "narrow": (b'<boardMetadata width="3" height="2" hexWidth="200"/>', "do not fit"),
    "far away": (b'<boardMetadata width="3" height="2" A1CenterX="9000"/>', "do not fit"),
    "hexsides": (
        b'<boardMetadata width="3" height="2"><slope hex="B1" hexsides="7"/></boardMetadata>',
        "digits 0 to 5",
    ),
    "doctype": (b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><boardMetadata/>', "DOCTYPE"),
    "entities": (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
        b'<boardMetadata width="&b;"/>',
        "DOCTYPE",
    ),
    "hidden doctype": (
        '<?xml version="1.0" encoding="utf-16"?><!DOCTYPE x []><boardMetadata/>'.encode("utf-16"),
        "DOCTYPE",
    ),
    "encoding": (b'<?xml version="1.0" encoding="martian"?><boardMetadata/>', "encoding"),
    "endless comments": (b"<!--" * 250_000, "not well-formed"),
    "too long": (b"<boardMetadata>" + b" " * 1_000_000, "larger"),
}


@pytest.mark.parametrize("fault", XML_FAULTS)
def test_metadata(tmp_path: Path, fault: str) -> None:
    """A fault in the metadata is named in one line."""
    data, said = XML_FAULTS[fault]

    assert said in rejection(pack(tmp_path / "bd07", LOS_DATA, data))


def test_metadata_comments(tmp_path: Path) -> None:
    """Comments that are not well-formed XML, as in published boards, do no harm."""
    data = b"<!-- old -- note <!DOCTYPE x> -->" + METADATA.split(b"?>", 1)[1]

    assert len(import_board(pack(tmp_path / "bd07", LOS_DATA, data))) == 7


def test_not_an_archive(tmp_path: Path) -> None:
    """A file that is no archive, or lacks an entry, is rejected."""
    text = tmp_path / "text"
    text.write_text("hello")

    assert "not a ZIP" in rejection(text)
    assert "not a readable board archive (no such file" in rejection(tmp_path / "absent")
    assert "expected a file, not a folder or a pipe" in rejection(tmp_path)
    os.mkfifo(tmp_path / "pipe")
    assert "expected a file, not a folder or a pipe" in rejection(tmp_path / "pipe")
    assert "not a readable" in rejection(Path("bd\0"))
    assert "LOSData" in rejection(pack(tmp_path / "a", None, METADATA))
    assert "BoardMetadata.xml" in rejection(pack(tmp_path / "b", LOS_DATA, None))
    assert "LOSData" in rejection(
        pack(tmp_path / "c", None, METADATA, **{"../LOSData": LOS_DATA, "/LOSData": LOS_DATA})
    )


def test_strange_packing(tmp_path: Path) -> None:
    """An entry packed by a method VASL does not use is rejected."""
    path = tmp_path / "bd07"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("LOSData", LOS_DATA)
        archive.writestr("BoardMetadata.xml", METADATA)

    assert "method" in rejection(path)


def test_too_many_entries(tmp_path: Path) -> None:
    """An archive with an endless list of entries is rejected before the list is read."""
    entries = {f"{number:0>120}": b"" for number in range(7000)}

    assert "list of entries" in rejection(pack(tmp_path / "bd07", LOS_DATA, METADATA, **entries))


def test_bombs_stay_small(tmp_path: Path) -> None:
    """Entries that expand without end are cut off at what the board declares."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    bomb = packer.compress(framed(PAYLOAD))
    zeros = bytes(1_000_000)
    bomb += b"".join(packer.compress(zeros) for _ in range(300)) + packer.flush()
    tracemalloc.start()
    try:
        assert "longer" in rejection(pack(tmp_path / "a", bomb, METADATA))
        assert "larger" in rejection(pack(tmp_path / "b", LOS_DATA, METADATA + bytes(30_000_000)))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert peak < 100_000_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<sharedBoardMetadata/>", "terrainType"),
        ("<terrainType name='x' typeCode='900' LOSCategory='OPEN'/>", "number"),
        ("<terrainType typeCode='9' LOSCategory='OPEN'/>", "no attribute name"),
        ("<!DOCTYPE x []><terrainType/>", "DOCTYPE"),
    ],
)
def test_terrain_table(tmp_path: Path, text: str, said: str) -> None:
    """An invalid terrain table is rejected."""
    table = tmp_path / "table.xml"
    table.write_text(text)

    assert said in rejection(FORGE.write(tmp_path / "bd07"), table)
    assert "cannot be read" in rejection(FORGE.write(tmp_path / "bd07"), tmp_path / "absent")


def imported_or_refused(los_data: bytes, metadata: bytes, archive: bytes | None = None) -> None:
    """Import a possibly damaged archive: it succeeds or is rejected in one line."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "bd07"
        if archive is None:
            pack(path, los_data, metadata)
        else:
            path.write_bytes(archive)
        message = "imported"
        try:
            import_board(path)
        except BadInputError as error:
            message = str(error)

    assert len(message.splitlines()) == 1


def damaged(data: bytes) -> st.SearchStrategy[bytes]:
    """Return a strategy of the data with some bytes changed, and perhaps cut short."""
    places = st.integers(0, len(data) - 1)
    return st.builds(
        _damage,
        st.just(data),
        st.lists(st.tuples(places, st.integers(0, 255)), max_size=4),
        st.one_of(st.none(), places),
    )


def _damage(data: bytes, changes: list[tuple[int, int]], end: int | None) -> bytes:
    changed = bytearray(data)
    for at, value in changes:
        changed[at] = value
    return bytes(changed[:end])


def archived() -> bytes:
    """Return the whole fabricated archive."""
    with TemporaryDirectory() as folder:
        return FORGE.write(Path(folder) / "bd07").read_bytes()


@settings(max_examples=150, deadline=None)
@given(damaged(archived()))
def test_damaged_archive(data: bytes) -> None:
    """An archive with bytes changed or cut off is imported or rejected, never more."""
    imported_or_refused(b"", b"", data)


@settings(max_examples=100, deadline=None)
@given(damaged(METADATA))
def test_damaged_metadata(data: bytes) -> None:
    """Metadata with bytes changed or cut off are read or rejected, never more."""
    imported_or_refused(LOS_DATA, data)


@settings(max_examples=150, deadline=None)
@given(st.one_of(damaged(framed(PAYLOAD)), damaged(framed(PAYLOAD)[:40])))
def test_damaged_pixels(data: bytes) -> None:
    """A Java stream with bytes changed or cut off is read or rejected, never more."""
    imported_or_refused(gzip.compress(data, 1), METADATA)


@settings(max_examples=60, deadline=None)
@given(st.tuples(*[st.integers(-(2**31), 2**31 - 1) | st.integers(0, 300)] * 4))
def test_any_header(sizes: tuple[int, int, int, int]) -> None:
    """Any sizes in the header are read or rejected, never more."""
    imported_or_refused(gzip.compress(framed(header(*sizes)), 1), METADATA)


def test_a_board_that_vasl_has_as_a_picture_only(tmp_path: Path) -> None:
    """An archive without LOSData says that VASL itself has none for the board."""
    old = pack(tmp_path / "bd99", None, None, **{"bd99.gif": b"GIF89a", "data": b"version 1"})
    newer = pack(tmp_path / "bd98", None, METADATA, **{"bd98.png": b"x"})
    other = pack(tmp_path / "bd97", None, METADATA)

    for path in (old, newer):
        assert "is a picture without terrain: VASL has no LOSData for this board" in rejection(path)
    assert "has no entry LOSData: expected a board archive" in rejection(other)


@pytest.mark.parametrize("content", [b"<html>not found</html>", b"\xff\xfe", LOS_DATA, b"hello"])
@pytest.mark.parametrize("name", ["bd03", "BDRB.zip"])
def test_a_file_named_like_a_board_that_is_no_zip(
    tmp_path: Path, name: str, content: bytes
) -> None:
    """A file with an archive's name that is no ZIP is reported as such, not as bad TOML."""
    path = tmp_path / name
    path.write_bytes(content)

    with pytest.raises(BadInputError, match=rf"{name}: is no ZIP, as VASL's board archives are"):
        load_board(path)
    with pytest.raises(BadInputError, match="no such file"):
        load_board(tmp_path / "bd04")
