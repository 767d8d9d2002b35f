"""What a player reads on the page in place of how a scene or log states something."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import marchtable_models.asl.reporting
import marchtable_models.asl.rules
from tests.asl.boards import ASL

CODE = re.compile(r"`([\w-]*)[^`]*`")
ELSEWHERE = {"names.py"}
"""Lists for a scene's writer, which no page shows."""
OF_SCENES = ("has `aboard", "must name it back", "remove its `platoon`", "the same `at`")
"""Faults of scenes that cannot be opened."""


@cache
def messages() -> list[str]:
    """Return the texts of clauses, rules and reports."""
    found = [one.title for one in ASL.clauses.values()]
    for package in (marchtable_models.asl.rules, marchtable_models.asl.reporting):
        for file in sorted(Path(package.__path__[0]).glob("*.py")):
            tree = ast.parse(file.read_text(encoding="utf-8"))
            raised = [one for one in ast.walk(tree) if isinstance(one, ast.Raise)]
            inside = {id(part) for one in raised for part in ast.walk(one)}
            texts = [one for one in ast.walk(tree) if isinstance(one, ast.Constant | ast.JoinedStr)]
            inside |= {id(part) for one in texts if isinstance(one, ast.JoinedStr)
                       for part in ast.walk(one) if part is not one}  # fmt: skip
            docs = {id(one.body[0].value) for one in ast.walk(tree)
                    if isinstance(one, ast.Module | ast.ClassDef | ast.FunctionDef)
                    and isinstance(one.body[0], ast.Expr)}  # fmt: skip
            if file.name not in ELSEWHERE:
                found += [said(one) for one in texts if id(one) not in inside | docs]
    return found


def said(text: ast.expr) -> str:
    """Return a text with a verb in place of what is filled in."""
    parts = text.values if isinstance(text, ast.JoinedStr) else [text]
    return "".join(str(one.value) if isinstance(one, ast.Constant) else "unload" for one in parts)


def test_a_page_names_what_a_player_can_do() -> None:
    """No message asks for fields of a scene: what stays in code is a verb, which the page shows as a button."""
    texts = [
        one for one in messages()
        if ("`" in one or " the reading " in one) and "``" not in one and "\n" not in one
    ]  # fmt: skip
    assert len(texts) > 20
    left = {}
    for text in texts:
        if any(words in text for words in OF_SCENES):
            continue
        shown = text
        for written, words in ASL.advice.items():
            shown = shown.replace(written, words)
        odd = [word for word in CODE.findall(shown) if word not in ASL.verbs]
        if odd or " = " in shown or " the reading " in shown:
            left[text] = odd
    assert left == {}


def test_advice_is_for_messages_there_are() -> None:
    """Each piece of advice replaces words of some message."""
    texts = messages()
    assert [one for one in ASL.advice if not any(one in text for text in texts)] == []
