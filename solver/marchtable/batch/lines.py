"""Files of requests and answers, one per line, from which an interrupted batch resumes."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from marchtable.batch.asking import batch
from marchtable.codec.plain import STDIN, check_target, nearest_files
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from marchtable.batch.workers import Hands

__all__ = ["Summary", "answer_lines"]

MARK = 16  # digits of a request's digest
BEGIN = b'{"number": '  # the beginning of every answer


class Summary(NamedTuple):
    """
    The result of a batch.

    Parameters
    ----------
    answered, kept, errors
        The number of requests answered now, of those answered before, and of ``ERROR`` answers
        among all.
    seconds
        The time taken.
    first
        The first of the errors, with its number, ``""`` for none.
    """

    answered: int
    kept: int
    errors: int
    seconds: float
    first: str = ""


def answer_lines(
    requests: Path,
    output: Path,
    *,
    hands: Sequence[Hands] | None = None,
    jobs: int | None = None,
    in_order: bool = True,
    progress: Callable[[int], object] | None = None,
) -> Summary:
    """
    Answer a file of requests, one per line, into a file of answers.

    Each line of the output is ``{"number", "request", "answer"}``: the number of the request, from
    0, and a digest of it. Requests that the output already answers are skipped, so an interrupted
    batch resumes. The digest covers the line and the files that it names, but not the files that
    those name. A line that is not JSON is answered with ERROR.

    Parameters
    ----------
    requests, output
        The files; ``-`` reads requests from standard input.
    hands, jobs, in_order
        As in :func:`batch`.
    progress
        Called with the number of answers written so far.

    Raises
    ------
    BadInputError
        If the output is the requests, answers other requests, contains anything else, or is being
        written by another batch.
    """
    begun = time.monotonic()
    _check_source(requests)
    check_target(output, requests)
    under_way: dict[
        int, tuple[int, str]
    ] = {}  # the number of each request and its digest, by its place in the batch
    answered = 0

    def asked() -> Iterator[Any]:
        place = 0
        for number, line in _lines(requests):
            request = _request(line, requests, number)
            digest = _digest(line, request)
            before = known.get(number)
            if before is None:
                under_way[place] = (number, digest)
                place += 1
                yield request
            elif before != digest:
                raise BadInputError(
                    f"answers another request than line {number + 1} of {requests}, "
                    "or its files have changed; name another file, or remove it",
                    source=str(output), field=f"number {number}",
                )  # fmt: skip

    with output.open("a", encoding="utf-8") as file:
        _lock(file, output)
        known, errors, first = _resumed(output)
        found = batch(asked(), executor=hands, jobs=jobs, in_order=in_order, files=True)
        for place, answer in found:
            number, digest = under_way.pop(place)
            row = {"number": number, "request": digest, "answer": answer}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            file.flush()
            answered += 1
            if answer.get("status") == "ERROR":
                errors += 1
                first = first or f"{number}: {_error_of(answer)}"
            if progress is not None:
                progress(answered)
    return Summary(answered, len(known), errors, time.monotonic() - begun, first)


def _error_of(answer: dict[str, Any]) -> str:
    error = answer["error"]
    return ": ".join(filter(None, (error["source"], error["field"], error["message"])))


def _check_source(path: Path) -> None:
    """Raise BadInputError if there is no such file; it is not opened, as it can be a pipe."""
    if str(path) == STDIN or (path.exists() and not path.is_dir()):
        return
    reason = (
        "is a directory" if path.is_dir() else f"no such file or directory{nearest_files(path)}"
    )
    raise BadInputError(f"cannot be read: {reason}", source=str(path))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the non-empty lines of a file with their numbers."""
    try:
        with nullcontext(sys.stdin.buffer) if str(path) == STDIN else path.open("rb") as file:
            for number, line in enumerate(file):
                if line.strip():
                    yield number, line.strip()
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", source=str(path)) from error


def _request(line: bytes, path: Path, number: int) -> Any:
    """Return a line's request, or the error that is its answer."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        found, text = None, f"expected a whole request as JSON in this line: {error}"
    else:
        text = "expected one request in each line, got a list"
    if found is None or isinstance(found, list):
        return BadInputError(text, source=str(path), field=f"line {number + 1}")
    return found


def _digest(line: bytes, request: Any) -> str:
    """Return a digest of a line and of the files that it names."""
    found = hashlib.blake2b(line, digest_size=MARK // 2)
    for value in request.values() if isinstance(request, dict) else ():
        if isinstance(value, str):
            found.update(_content(value))
    return found.hexdigest()


def _content(name: str) -> bytes:
    try:
        path = Path(name)
        return path.read_bytes() if path.is_file() else b""
    except (OSError, ValueError):  # the answer reports what cannot be read
        return b""


def _lock(file: IO[str], path: Path) -> None:
    """Lock a file for this batch until it is closed; raise BadInputError if it is locked."""
    try:
        import fcntl
    except ImportError:  # Windows
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise BadInputError("another batch is writing it", source=str(path)) from error


def _resumed(output: Path) -> tuple[dict[int, str], int, str]:
    """Return the answered requests, the number of ERRORs and the first; remove an incomplete last line."""
    known: dict[int, str] = {}
    errors, whole, first = 0, 0, ""
    with output.open("rb") as file:
        for line in file:
            try:
                if not line.endswith(b"\n") and BEGIN.startswith(line[: len(BEGIN)]):
                    break  # an incomplete line
                row = json.loads(line)
                known[int(row["number"])] = str(row["request"])
                if row["answer"].get("status") == "ERROR":
                    errors += 1
                    first = first or f"{row['number']}: {_error_of(row['answer'])}"
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise BadInputError(
                    f"expected answers of a batch, or a new file: {error}", source=str(output)
                ) from error
            whole += len(line)
    with output.open("r+b") as file:
        file.truncate(whole)
    return known, errors, first
