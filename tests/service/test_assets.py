"""What is sent to other sites' pages, and the size of a page."""

from __future__ import annotations

import asyncio
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from typer.testing import CliRunner

from marchtable.cli.main import app as command
from marchtable.service.app import create_app
from marchtable.service.positions import Positions
from marchtable.service.settings import library_of
from marchtable.web import routes
from marchtable.web.views import scene_said
from tests.examples import ROOT
from tests.service.conftest import GERMAN, settings
from tests.service.test_sides import by

if TYPE_CHECKING:
    from litestar.testing import TestClient

SITE = "https://play.example"
STATIC = Path(routes.__file__).parent / "static"
MOST = 60_000
"""Bytes of a page's script and style, as sent."""


@cache
def served(origins: tuple[str, ...]) -> Any:
    """Return a server that was not started: its workers are not needed."""
    return create_app(settings(origins=origins), routes.HANDLERS)


def asked(
    method: str, path: str, headers: dict[str, str], origins: tuple[str, ...] = ()
) -> httpx.Response:
    """Send a request that needs no worker."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=served(origins))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            return await client.request(method, path, headers=headers)

    return asyncio.run(ask())


def test_another_site_asks_only_if_it_is_allowed() -> None:
    """Pages of a listed site can ask with a token, and read the ETag; no other site's can."""
    cross = {"Origin": SITE, "Sec-Fetch-Site": "cross-site"}
    assert asked("DELETE", "/api/session", cross).status_code == 403
    assert asked("DELETE", "/api/session", cross, ("https://other.example",)).status_code == 403
    allowed = asked("DELETE", "/api/session", cross, (SITE,))
    assert allowed.status_code == 204
    assert allowed.headers["access-control-allow-origin"] == SITE
    assert "etag" in allowed.headers["access-control-expose-headers"].lower()
    assert "access-control-allow-credentials" not in allowed.headers
    wish = {
        **cross,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization",
    }
    answer = asked("OPTIONS", "/api/games", wish, (SITE,))
    assert answer.status_code in (200, 204)
    assert answer.headers["access-control-allow-origin"] == SITE
    assert "access-control-allow-origin" not in asked("OPTIONS", "/api/games", wish).headers


@pytest.mark.parametrize("origin", ["play.example", "https://play.example/path", "*"])
def test_an_origin_has_scheme_and_host(origin: str) -> None:
    """An invalid origin is rejected at startup, with an example."""
    found = CliRunner().invoke(command, ["serve", "--no-open", "--allow-origin", origin])
    assert found.exit_code == 2
    assert "https://example.org" in found.stderr


def loaded(page: str) -> set[str]:
    """Return the script and style that a page of HTML loads, modules by way of others too."""
    found = set(re.findall(r"\$static/([a-z]+\.(?:js|css))", (STATIC / page).read_text()))
    waiting = [name for name in found if name.endswith(".js")]
    while waiting:
        new = (
            set(re.findall(r'from "\./([a-z]+\.js)"', (STATIC / waiting.pop()).read_text())) - found
        )
        found |= new
        waiting += new
    return {*found, "palette.css", "board.css"}


@pytest.mark.parametrize("page", sorted(one.name for one in STATIC.glob("*.html")))
def test_the_page_is_light(page: str) -> None:
    """A page's script and style are compressed, cached forever under their address, and within the limit."""
    found = re.search(r"/static/\w+/", asked("GET", "/open", {}).text)
    assert found is not None
    total = 0
    for name in loaded(page):
        sent = asked("GET", f"{found[0]}{name}", {"Accept-Encoding": "gzip"})
        assert (sent.headers["content-encoding"], sent.headers["vary"]) == (
            "gzip",
            "Accept-Encoding",
        )
        assert "immutable" in sent.headers["cache-control"]
        total += int(sent.headers["content-length"])
    assert 1_000 < total < MOST
    plain = asked("GET", f"{found[0]}game.js", {"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.content == (STATIC / "game.js").read_bytes()


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")), ids=lambda path: path.name)
def test_only_comments_are_left_out(path: Path) -> None:
    """What looks like a comment at the end of a line stands in no string."""
    for line in path.read_text(encoding="utf-8").splitlines():
        code, mark, _ = line.partition(" // ")
        assert not mark or all(code.count(quote) % 2 == 0 for quote in '"`'), line


def test_answers_are_compressed(sided: TestClient[Any]) -> None:
    """A long answer is compressed for clients that accept it, and equals the plain one."""
    sent = {kind: sided.post("/api/rules", json={"rulebook": "panzer"}, headers={**by(GERMAN), "Accept-Encoding": kind})
            for kind in ("gzip", "identity")}  # fmt: skip
    assert sent["gzip"].headers["content-encoding"] == "gzip"
    assert "content-encoding" not in sent["identity"].headers
    assert sent["gzip"].content == sent["identity"].content
    assert int(sent["gzip"].headers["content-length"]) < len(sent["identity"].content) / 2


def test_a_tile_shows_the_scene_s_name_and_its_file(tmp_path: Path) -> None:
    """The name is the scene's, also if the scene has a fault; the file's name is in the details."""
    text = (ROOT / "docs" / "examples" / "bridge.toml").read_text(encoding="utf-8")
    (tmp_path / "bridge.toml").write_text(text)
    (tmp_path / "scene-7.toml").write_text(text.replace('name = "bridge"', 'name = "ford"'))
    (tmp_path / "bad.toml").write_text(
        text.replace('name = "bridge"', 'name = "dam"\nnonsense = 1')
    )
    positions = Positions(library_of(None, tmp_path))

    assert scene_said(positions, name="bridge") == ("bridge", "asl · 4 units")
    assert scene_said(positions, name="scene-7") == ("ford", "asl · 4 units · file scene-7")
    name, about = scene_said(positions, name="bad")
    assert (name, about.startswith("cannot be read: "), about.endswith(" · file bad")) == (
        "dam",
        True,
        True,
    )
