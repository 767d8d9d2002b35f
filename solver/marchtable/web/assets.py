"""The page's own files: served compressed, at addresses that change whenever a file does."""

from __future__ import annotations

import gzip
import re
from functools import cache
from hashlib import blake2b
from importlib import resources
from string import Template
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from marchtable.codec.plain import one_line
from marchtable.service.app import UNPACKED
from marchtable.service.who import Rejected
from marchtable.web.drawing import palette

__all__ = ["OPEN", "Answer", "Asked", "Name", "file", "html", "icon", "preloaded"]

OPEN = {"open": True}  # for everyone, without a token
_IMPORT = re.compile(r'from "\./([a-z]+\.js)"')
_COMMENT = re.compile(
    rb"^[ \t]*(?://.*|/\*\*(?:[^*]|\*(?!/))*\*/[ \t]*)\n| +// .*$|^[ \t]*\n", re.MULTILINE
)  # no string in the scripts has " // "
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)  # no string in the scripts spans several lines
KINDS = {"css": "text/css", "js": "text/javascript", "svg": "image/svg+xml", "html": "text/html"}

Asked = Request[Any, Any, Any]
Answer = Response[bytes]
Name = FromPath[str]


@cache
def _files() -> dict[str, bytes]:
    """Return the page's files by name: nothing else can be requested."""
    folder = resources.files("marchtable.web").joinpath("static")
    found = {entry.name: entry.read_bytes() for entry in folder.iterdir() if entry.is_file()}
    return {**found, "palette.css": _palette_css().encode()}


@cache
def preloaded(name: str) -> str:
    """Return the links that preload all modules that a module needs, directly or indirectly."""
    found, waiting = [name], [name]
    while waiting:
        new = set(_IMPORT.findall(_files()[waiting.pop()].decode())) - set(found)
        found += sorted(new)
        waiting += new
    return "\n".join(
        f'<link rel="modulepreload" href="/static/{_edition()}/{one}">' for one in found
    )


def _palette_css() -> str:
    colours = palette()
    names = {"route": "route", "routeLine": "route-line"}
    names |= {name: name for name in ("violation", "dark", "light")}
    rules = " ".join(f"--{css}: {colours[name]};" for name, css in names.items())
    signs = "".join(
        f".sign.{name} {{ background: {tone['fill']}; color: {tone['ink']}; }}\n"
        for name, tone in colours["tones"].items()
    )
    return f":root {{ {rules} }}\n{signs}"


def html(file_name: str, /, **parts: str) -> Response[str]:
    """Return an HTML file of the page with its `$parts` filled in."""
    text = Template(_files()[file_name].decode()).substitute(parts, static=f"/static/{_edition()}")
    # Without a referrer, a form post would not show that it comes from us.
    return Response(text, media_type="text/html", headers={"Referrer-Policy": "same-origin"})


@cache
def _edition() -> str:
    """Return the part of the files' addresses that changes whenever a file does."""
    return blake2b(b"".join(_files()[name] for name in sorted(_files())), digest_size=6).hexdigest()


@get("/static/{edition:str}/{name:str}", opt={**OPEN, **UNPACKED})
async def file(request: Asked, edition: Name, name: Name) -> Answer:
    """Send a file of the page; the browser may cache it if the address has the current edition."""
    if name not in _files():
        raise Rejected(404, f"no file {one_line(name, 60)!r}", "name")
    kind = KINDS.get(name.rpartition(".")[2], "text/plain")
    headers = {"Vary": "Accept-Encoding"}
    if edition == _edition():
        headers["Cache-Control"] = "public, max-age=31536000, immutable"
    if "gzip" not in request.headers.get("accept-encoding", ""):
        return Response(_files()[name], media_type=kind, headers=headers)
    return Response(_packed(name), media_type=kind, headers={**headers, "Content-Encoding": "gzip"})


@cache
def _packed(name: str) -> bytes:
    """Return a compressed file of the page, without indents, empty lines and scripts' comments."""
    data = _files()[name]
    if name.endswith(".js"):
        data = _COMMENT.sub(b"", data)
    if name.endswith((".js", ".css")):
        data = _INDENT.sub(b"", data)
    return gzip.compress(data, mtime=0)


@get("/favicon.ico", opt=OPEN)
async def icon() -> Answer:
    """Send the page's icon."""
    return Response(_files()["icon.svg"], media_type="image/svg+xml")
