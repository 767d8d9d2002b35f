"""Requests and answers as files of lines, of which a batch that was broken off goes on."""

from __future__ import annotations

import hashlib
import json
import time
from typing import TYPE_CHECKING, Any, NamedTuple

from marchtable.batch.asking import batch
from marchtable.errors import BadInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from marchtable.batch.workers import Hands

__all__ = ["Summary", "answer_lines"]

MARK = 16  # digits of a request's digest


class Summary(NamedTuple):
    """
    What came of a batch.

    Parameters
    ----------
    answered, kept, errors
        How many requests were answered now, how many had been, and how many answers, of all, are
        ``ERROR``.
    seconds
        How long it took.
    """

    answered: int
    kept: int
    errors: int
    seconds: float


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
    Answer a file of requests, one a line, into a file of answers.

    Each line of the output is ``{"number", "request", "answer"}``: which request it was, counted
    from 0, and a digest of it. What the output already answers is not asked again, so that a batch
    that was broken off goes on where it was.

    Parameters
    ----------
    requests, output
        The files.
    hands, jobs, in_order
        As of :func:`batch`.
    progress
        Called with the number of answers written so far.

    Raises
    ------
    BadInputError
        If a line is no JSON, or the output answers other requests.
    """
    begun = time.monotonic()
    known, errors = _resumed(output)
    under_way: dict[
        int, tuple[int, str]
    ] = {}  # which request, and its digest, by its place in the batch
    answered = 0

    def asked() -> Iterator[Any]:
        place = 0
        for number, line in _lines(requests):
            digest = hashlib.blake2b(line, digest_size=MARK // 2).hexdigest()
            told = known.get(number)
            if told is None:
                under_way[place] = (number, digest)
                place += 1
                yield _request(line, requests, number)
            elif told != digest:
                raise BadInputError(
                    f"answers another request than line {number + 1} of {requests}; "
                    "name another file, or remove it",
                    source=str(output), field=f"number {number}",
                )  # fmt: skip

    with output.open("a", encoding="utf-8") as file:
        found = batch(asked(), executor=hands, jobs=jobs, in_order=in_order, files=True)
        for place, answer in found:
            number, digest = under_way.pop(place)
            told = {"number": number, "request": digest, "answer": answer}
            file.write(json.dumps(told, ensure_ascii=False) + "\n")
            file.flush()
            answered += 1
            errors += answer.get("status") == "ERROR"
            if progress is not None:
                progress(answered)
    return Summary(answered, len(known), errors, time.monotonic() - begun)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a file that hold something, with their numbers."""
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file):
                if line.strip():
                    yield number, line.strip()
    except OSError as error:
        raise BadInputError(f"cannot be read: {error.strerror}", source=str(path)) from error


def _request(line: bytes, path: Path, number: int) -> Any:
    try:
        return json.loads(line)
    except ValueError as error:
        raise BadInputError(
            f"expected a request as JSON: {error}", source=str(path), field=f"line {number + 1}"
        ) from error


def _resumed(output: Path) -> tuple[dict[int, str], int]:
    """Return the requests answered already, and how many are ERROR; what was cut off is taken away."""
    known: dict[int, str] = {}
    errors, whole = 0, 0
    if not output.exists():
        return known, errors
    with output.open("rb") as file:
        for line in file:
            try:
                told = json.loads(line) if line.endswith(b"\n") else None
                if told is None:
                    break
                known[int(told["number"])] = str(told["request"])
                errors += told["answer"].get("status") == "ERROR"
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                raise BadInputError(
                    f"expected answers of a batch, or a new file: {error}", source=str(output)
                ) from error
            whole += len(line)
    with output.open("r+b") as file:
        file.truncate(whole)
    return known, errors
