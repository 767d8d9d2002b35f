"""
Hooks of MkDocs: the pages that are generated, and links that lead out of ``docs/``.

Set ``SITE_SOURCE`` to the repository's address (CI does) to turn paths of files into links.
"""

from __future__ import annotations

import inspect
import io
import os
import posixpath
import re
import sys
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
COPIED = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "tests/conformance/README.md": "conformance.md",
}
"""Pages that stand elsewhere in the repository."""
ZIPPED = {"docs/examples": "examples.zip", "tests/conformance": "conformance.zip"}
"""Folders that readers of the site download; the zip keeps their paths, so commands work as printed."""
NOT_ZIPPED = {".pyc", ".png"}
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]*)\]\((?P<target>[^)\s]+)\)")
FENCED = re.compile(r"(^```.*?^```)", re.S | re.M)


def source(path: str, line: str) -> str:
    """Return a link to a file of the repository, its path alone where the repository has no address."""
    base = os.environ.get("SITE_SOURCE", "").rstrip("/")
    shown = f"{path}:{line}" if line else path
    return (
        f"[`{shown}`]({base}/blob/main/{path}{f'#L{line}' * bool(line)})" if base else f"`{shown}`"
    )


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for folder in (ROOT, Path(__file__).parent):
        if str(folder) not in sys.path:  # MkDocs resets the path once a hook is loaded
            sys.path.insert(0, str(folder))
    for uri, content in generated():
        files.append(File.generated(config, uri, content=content))
    for folder, uri in ZIPPED.items():
        files.append(File.generated(config, uri, content=zipped(ROOT / folder)))
    return files


def zipped(folder: Path) -> bytes:
    """Return a zip of a folder's files, with their paths from the root."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in NOT_ZIPPED:
                name = zipfile.ZipInfo(path.relative_to(ROOT).as_posix())
                archive.writestr(name, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def generated() -> Iterator[tuple[str, str]]:
    """Yield the address and the text of each generated page."""
    from clauses import RULEBOOKS, Pages

    for name, uri in COPIED.items():
        folder = posixpath.relpath(posixpath.dirname(name) or ".", "docs")
        text = (ROOT / name).read_text(encoding="utf-8")
        yield uri, re.sub(r"\]\((?![a-z]+:|#)", f"]({folder}/", text).replace("](../docs/", "](")
    yield "reference/cli.md", command_line()
    yield "reference/http.md", http()
    yield "reference/api.md", python()
    for name in RULEBOOKS:
        book = Pages(name, source)
        yield f"clauses/{name}/index.md", book.index()
        for clause, page in book.pages():
            yield f"clauses/{name}/{clause}.md", page


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turn links that lead out of the docs into links to the repository, or into plain text."""
    del config
    folder = posixpath.dirname(page.file.src_uri)

    def mended(found: re.Match[str]) -> str:
        path, _, anchor = found["target"].partition("#")
        if not path or "://" in path:
            return found[0]
        target = posixpath.normpath(posixpath.join(folder, path))
        if files.get_file_from_path(target) is not None:
            return found[0]
        inside = target.removeprefix("../")
        if uri := ZIPPED.get(inside if target.startswith("../") else f"docs/{target}"):
            return f"[{found['text']}]({posixpath.relpath(uri, folder or '.')}) (a zip file)"
        if target.startswith("../") and inside in COPIED:
            to = posixpath.relpath(COPIED[inside], folder or ".")
            return f"[{found['text']}]({to}{'#' * bool(anchor)}{anchor})"
        if not (ROOT / inside).exists():
            inside = f"docs/{target}"
        base = os.environ.get("SITE_SOURCE", "").rstrip("/")
        if not (ROOT / inside).exists():
            return found[0]  # a broken link: strict mode reports it
        return (
            f"[{found['text']}]({base}/blob/main/{inside}{'#' * bool(anchor)}{anchor})"
            if base
            else found["text"]
        )

    parts = FENCED.split(markdown)
    return "".join(part if part.startswith("```") else LINK.sub(mended, part) for part in parts)


def command_line() -> str:
    """Return the page of all commands: what ``--help`` prints."""
    import click
    import typer

    from marchtable.cli.main import app

    lines = [
        "# Commands",
        "",
        "What `--help` prints, command by command. [The command line](../command-line.md) has examples.",
    ]

    def add(command: Any, words: tuple[str, ...], parent: Any) -> None:
        context = click.Context(command, info_name=words[-1], parent=parent, max_content_width=100)
        lines.extend(
            ["", f"## {' '.join(words)}", "", "```text", command.get_help(context).rstrip(), "```"]
        )
        for name, inner in sorted(getattr(command, "commands", {}).items()):
            add(inner, (*words, name), context)

    add(typer.main.get_command(app), ("marchtable",), None)
    return "\n".join(lines) + "\n"


def http() -> str:
    """Return the page of the HTTP service's routes, from its OpenAPI document."""
    from marchtable.service.app import create_app
    from marchtable.service.openapi import document as openapi
    from marchtable.service.settings import Library, Settings

    document = openapi(create_app(Settings(library=Library())))
    lines = [
        "# HTTP routes",
        "",
        "From the service's OpenAPI document. [The service](../service.md) explains them.",
    ]
    for path, methods in sorted(document["paths"].items()):
        for method, route in sorted(methods.items()):
            lines += ["", f"## `{method.upper()} {path}`", "", route.get("summary", ""), ""]
            lines += ["| Status | Answer |", "|---|---|"]
            for status, given in sorted(route["responses"].items()):
                lines.append(f"| {status} | {_names(given)} |")
            if body := route.get("requestBody"):
                lines += ["", f"Body: {_names(body)}"]
    return "\n".join(lines) + "\n"


def _names(part: Any) -> str:
    found = sorted({*re.findall(r"#/components/schemas/([\w.]+)", str(part))})
    return ", ".join(f"`{name}`" for name in found) or "none"


def python() -> str:
    """Return the page of everything that the package exports, for mkdocstrings to fill in."""
    import marchtable

    lines = [
        "# Python",
        "",
        "Everything that `import marchtable` offers. [Python](../python.md) shows how to use it.",
    ]
    for name in sorted(marchtable.__all__, key=str.lower):
        value = getattr(marchtable, name)
        if inspect.isclass(value) or inspect.isfunction(value):
            lines += ["", f"::: {value.__module__}.{value.__qualname__}"]
    return "\n".join(lines) + "\n"
