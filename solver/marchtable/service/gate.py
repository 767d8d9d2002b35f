"""Admission of requests: who, how much, and for how long. Runs before everything else."""

from __future__ import annotations

import asyncio
import hmac
from collections import Counter, deque
from contextlib import contextmanager
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING, Any

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware

from marchtable.service.who import NOBODY, REFEREE, Rejected, Who

if TYPE_CHECKING:
    from collections.abc import Iterator

    from litestar.types import ASGIApp, Message, Receive, Scope, Send

    from marchtable.service.settings import Settings

__all__ = ["COOKIE", "HEADERS", "Gate", "secured"]

COOKIE = "marchtable"
SAFE = ("GET", "HEAD", "OPTIONS")
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Headers of every response, unless it sets its own."""


async def secured(message: Message, scope: Scope) -> None:
    """Add the headers to a response, including errors; close if the body is still arriving."""
    if message["type"] == "http.response.start":
        headers = message["headers"] = list(message.get("headers", ()))
        said = {bytes(name).lower() for name, _ in headers}
        headers += [(k.encode(), v.encode()) for k, v in HEADERS.items() if k.encode() not in said]
        body = scope["state"].get("body")
        if body is not None and not body.is_whole:
            headers.append((b"connection", b"close"))


class Gate(ASGIMiddleware):
    """
    Admits requests.

    A route whose ``opt`` says ``open`` needs no token; without one, the requester is nobody there.

    Parameters
    ----------
    settings
        The server's settings.
    """

    scopes = (ScopeType.HTTP,)

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.under_way: Counter[str] = Counter()
        self._held: Counter[str] = Counter()

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass a request on, or reject it."""
        headers = Headers.from_scope(scope)
        body = scope["state"]["body"] = _Body(self, headers, receive)
        self._check_origin(scope, headers)
        who = scope["state"]["who"] = self._who(scope, headers)
        body.name = who.name
        try:
            announced = headers.get("content-length", "")
            if not announced.isdecimal() or int(announced) <= self._settings.body:
                await body.come_in(self._settings.body)
            with self._counted(who.name):
                await next_app(scope, body.receive, self._hasty(send))
        finally:
            self._hold(who.name, -body.size)

    @contextmanager
    def _counted(self, name: str) -> Iterator[None]:
        """Count a complete request; clients that send only halves of many lock no one out."""
        if self.under_way[name] >= self._settings.each:
            raise Rejected(429, "you have too many requests in progress")
        self.under_way[name] += 1
        try:
            yield
        finally:
            self.under_way[name] -= 1
            if not self.under_way[name]:
                del self.under_way[name]

    def _check_origin(self, scope: Scope, headers: Headers) -> None:
        """Reject requests to a host name that is not ours, and those from pages of other sites."""
        host = headers.get("host", "")
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        if self._settings.hosts and name.lower() not in self._settings.hosts:
            raise Rejected(
                421, f"not served here: expected one of {', '.join(self._settings.hosts)}"
            )
        if scope.get("method") in SAFE:
            return
        origin = headers.get("origin")
        if origin is not None and origin in self._settings.origins:
            return
        if headers.get("sec-fetch-site", "none") not in ("same-origin", "none") or (
            origin is not None and origin.partition("://")[2] != host
        ):
            raise Rejected(403, "sent by another site's page")

    def _who(self, scope: Scope, headers: Headers) -> Who:
        tokens = self._settings.tokens
        address = (scope.get("client") or ("", 0))[0]
        if not tokens:
            return REFEREE._replace(name=address)
        shown = _token(headers)
        found = self.holder(shown)
        if found is not None:
            return found
        if scope["route_handler"].opt.get("open"):
            return NOBODY._replace(name=address)
        if shown:
            raise Rejected(401, "unknown token: the server prints the tokens as it starts")
        raise Rejected(401, "expected a token: Authorization: Bearer TOKEN")

    def holder(self, shown: str) -> Who | None:
        """Return the holder of a token."""
        found = None
        for number, (token, side) in enumerate(self._settings.tokens.items()):
            if hmac.compare_digest(token.encode(), shown.encode()):
                found = Who(side, f"token {number}")
        return found

    def hold(self, name: str, size: int) -> None:
        """Count bytes held for requests; one client may use up to half of them."""
        self._hold(name, size)
        if size and self._held[name] > self._settings.held // 2:
            raise Rejected(429, "you are sending too much at once: try again soon")
        if size and self._held.total() > self._settings.held:
            raise Rejected(503, "too much is being sent at once: try again soon")

    def _hold(self, name: str, size: int) -> None:
        self._held[name] += size
        if not self._held[name]:
            del self._held[name]

    @property
    def patience(self) -> float:
        """Seconds within which a request must have arrived."""
        return self._settings.patience

    def _hasty(self, send: Send) -> Send:
        async def hurried(message: Message) -> None:
            async with asyncio.timeout(self._settings.patience):  # drop clients that do not read
                await send(message)

        return hurried


class _Body:
    """The received part of a request, within limits of size and time."""

    def __init__(self, gate: Gate, headers: Headers, receive: Receive) -> None:
        self._gate, self._receive = gate, receive
        self._messages: deque[Any] = deque()
        self._ends = asyncio.get_running_loop().time() + gate.patience
        self.is_whole = not {"content-length", "transfer-encoding"} & headers.keys()
        self.name = ""
        self.size = 0

    async def come_in(self, most: int) -> None:
        """Wait until all is here, or the size limit is exceeded."""
        while not self.is_whole and self.size <= most:
            self._messages.append(await self._next())

    async def receive(self) -> Any:
        """Return the next message, received or arriving."""
        return self._messages.popleft() if self._messages else await self._next()

    async def _next(self) -> Any:
        if self.is_whole:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._ends):
                message = await self._receive()
        except TimeoutError:
            raise Rejected(408, "the request took too long to arrive") from None
        size = len(message.get("body", b""))  # type: ignore[arg-type]
        self.size += size
        self._gate.hold(self.name, size)
        self.is_whole = not message.get("more_body", False)
        return message


def _token(headers: Headers) -> str:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return token.strip()
    try:
        cookie = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return cookie.value if cookie else ""
