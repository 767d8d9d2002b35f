"""Reading a session's lines: from a terminal with completion and history, or from a pipe."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from marchtable.prompt.replies import print_reply
from marchtable.prompt.words import Words
from marchtable.report.terminal import console

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document

    from marchtable.prompt.session import Session

__all__ = ["converse"]

WITHOUT = "without completion: pip install 'marchtable[prompt]'"


def converse(session: Session) -> None:
    """Read lines until they end or the user quits, and print the answer to each."""
    out = console()
    read = _reader(session)
    while True:
        try:
            line = read()
        except EOFError:
            return
        except KeyboardInterrupt:  # the line is discarded
            continue
        try:
            reply = session.say(line)
            if reply.kind == "quit":
                return
            print_reply(out, reply)
        except KeyboardInterrupt:
            out.print("interrupted")


def _reader(session: Session) -> Callable[[], str]:
    if not sys.stdin.isatty():
        return _next_line
    try:
        return _editor(session)
    except ImportError:
        print(WITHOUT, file=sys.stderr)  # noqa: T201 - once, to somebody at a terminal
        return lambda: input(session.prompt)


def _next_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _editor(session: Session) -> Callable[[], str]:
    """Return a line editor; raise ImportError if there is none."""
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import Completer, Completion

    words = Words(session)

    class _Completer(Completer):
        def get_completions(
            self, document: Document, _event: CompleteEvent
        ) -> Iterator[Completion]:
            text = document.text_before_cursor
            half = len(text) - len(text.rpartition(" ")[0]) if " " in text else len(text)
            start = -(half - 1) if " " in text else -half
            for word in words.after(text):
                yield Completion(word, start_position=start)

    editor: PromptSession[str] = PromptSession(
        completer=_Completer(), complete_while_typing=False, enable_history_search=True
    )
    return lambda: editor.prompt(session.prompt)
