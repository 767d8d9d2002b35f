"""
The OpenAPI document, from the types that routes declare.

Litestar could generate one, but it reads bodies leniently (``"5"`` for 5); ours are read strictly,
where questions are answered, so each route names its types itself (:class:`Doc`).
"""

from __future__ import annotations

import inspect
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from litestar.routes import HTTPRoute

from marchtable.answers.schema import typed
from marchtable.answers.shapes import ErrorShape

if TYPE_CHECKING:
    from litestar import Litestar
    from litestar.handlers import HTTPRouteHandler

__all__ = ["Doc", "document"]

REF = "#/components/schemas/{name}"
JSON = "application/json"


class Doc(NamedTuple):
    """
    The types of a route.

    Parameters
    ----------
    answers
        The types by HTTP status; None for no body. Any other response is an ErrorShape.
    body
        The request body's type, if any.
    matched
        Whether ``If-Match`` is required.
    media
        The media type of the response.
    """

    answers: dict[int, Any]
    body: Any = None
    matched: bool = False
    media: str = JSON


def document(app: Litestar) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of an application's routes that have a :class:`Doc`."""
    found = [
        (route, method.lower(), handler, handler.opt["doc"])
        for route in app.routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        if "doc" in handler.opt
        for method in handler.http_methods
        if method != "OPTIONS"
    ]
    kinds: list[Any] = [ErrorShape]
    for *_, doc in found:
        kinds += [kind for kind in (doc.body, *doc.answers.values()) if kind is not None]
    schemas, components = msgspec.json.schema_components(kinds, ref_template=REF)
    schema_of = dict(zip(map(str, kinds), schemas, strict=True))
    for one in schemas:
        typed(one, components, REF)
    paths: dict[str, dict[str, Any]] = {}
    for route, method, handler, doc in found:
        paths.setdefault(route.path_format, {})[method] = _operation(route, handler, doc, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "marchtable",
            "version": version("marchtable"),
            "description": "Is this move legal, and by which rule?",
        },
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": components,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(
    route: HTTPRoute, handler: HTTPRouteHandler, doc: Doc, schema_of: dict[str, Any]
) -> dict[str, Any]:
    summary, _, more = inspect.cleandoc(handler.fn.__doc__ or "").partition("\n\n")
    found: dict[str, Any] = {"summary": " ".join(summary.split())}
    if more:
        found["description"] = more
    in_path = list(route.path_parameters)
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": _schema(handler, name)}
        for name in in_path
    ]
    for name, field in handler.parsed_fn_signature.parameters.items():
        if name not in ("request", *in_path):
            schema = _schema(handler, name)
            parameters.append({"name": name, "in": "query", "schema": schema})
            if field.default is not None:
                schema["default"] = field.default
    if doc.matched:
        parameters.append({
            "name": "If-Match", "in": "header", "required": True, "schema": {"type": "string"},
            "description": "The ETag of the game as it was read, or *.",
        })  # fmt: skip
    if parameters:
        found["parameters"] = parameters
    if doc.body is not None:
        found["requestBody"] = {
            "required": True, "content": {JSON: {"schema": schema_of[str(doc.body)]}},
        }  # fmt: skip
    found["responses"] = {
        str(status): _response(kind, doc.media, schema_of) for status, kind in doc.answers.items()
    } | {"default": _response(ErrorShape, JSON, schema_of)}
    return found


def _schema(handler: HTTPRouteHandler, name: str) -> dict[str, Any]:
    """Return the schema of a path or query parameter: text or an integer."""
    if "int" in str(handler.parsed_fn_signature.parameters[name].annotation):
        return {"type": "integer", "minimum": 0}
    return {"type": "string"}


def _response(kind: Any, media: str, schema_of: dict[str, Any]) -> dict[str, Any]:
    about = "nothing" if kind is None else (inspect.getdoc(kind) or "the answer").split("\n")[0]
    if kind is None:
        return {"description": about}
    return {"description": about, "content": {media: {"schema": schema_of[str(kind)]}}}
