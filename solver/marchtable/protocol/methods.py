"""The engine's methods: the verbs of ``answer``, and those for handles."""

from __future__ import annotations

from base64 import b64encode
from importlib.metadata import version
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from marchtable.answers.answer import FILES, answer, no_file_names
from marchtable.answers.known import Listing, known_answer
from marchtable.answers.requests import REQUESTS, SceneTable
from marchtable.answers.schema import schema
from marchtable.answers.verdicts import check_answer
from marchtable.codec.plain import parsed
from marchtable.codec.structs import struct_of
from marchtable.errors import BadInputError
from marchtable.files.boards import DEMO
from marchtable.files.logs import log_of
from marchtable.files.scenes import Scene, load_scene, scene_of
from marchtable.nearest import unknown
from marchtable.protocol.handles import Handles, TooManyError, summary
from marchtable.protocol.messages import BUSY, CANCEL, METHOD, SHUTDOWN, Fault, fault_of
from marchtable.rules.referee import check

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.cpsat.harness import Stop

__all__ = ["PROTOCOL", "VERBS", "Methods", "picture_of"]

PROTOCOL = "marchtable/engine/1"
VERBS = tuple(str(kind.__struct_config__.tag) for kind in REQUESTS)
_ON_A_SCENE = {
    str(kind.__struct_config__.tag) for kind in REQUESTS if "scene" in kind.__struct_fields__
}
_FILES = " (if you start it with `--files`, file names are allowed)"
_BACK = ("undo", "pop", "takeback", "take_back", "unmake", "back")
_SYNONYMS = {
    "push": "apply", "play": "apply", "move": "apply", "make": "apply", "legal": "legal_actions",
    "actions": "legal_actions", "moves": "legal_actions", "load": "open", "new": "open",
    "picture": "show", "quit": SHUTDOWN, "exit": SHUTDOWN, "stop": CANCEL, "version": "about",
}  # fmt: skip
"""Names that other engines have for a method of ours."""
MEDIA = {"svg": "image/svg+xml", "png": "image/png"}


class _Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments of a method."""


class Nothing(_Params, frozen=True, kw_only=True):
    """No arguments."""


class SchemaParams(_Params, frozen=True, kw_only=True):
    """The name of a schema, and of its rulebook."""

    name: str
    rulebook: str | None = None


class KnownParams(_Params, frozen=True, kw_only=True):
    """Valid names in scenes and logs, with all of some words in the name or description."""

    kind: Listing
    words: str = ""
    rulebook: str | None = None


class OpenParams(_Params, frozen=True, kw_only=True):
    """
    A scene: its table (or, if files can be named, its file's path), or its TOML or JSON text.

    Exactly one of the two.
    """

    scene: SceneTable | str | None = None
    text: str | None = None


class PositionParams(_Params, frozen=True, kw_only=True):
    """An open position."""

    position: str


class ApplyParams(PositionParams, frozen=True, kw_only=True):
    """Actions on a position, each a line or an object; with ``anyway``, illegal ones are played too."""

    actions: list[str | dict[str, Any]]
    anyway: bool = False


class ShowParams(PositionParams, frozen=True, kw_only=True):
    """A picture of a position; of a unit's reach, or of its path with actions."""

    unit: str | None = None
    actions: list[str | dict[str, Any]] | None = None
    rolls: Literal["pass", "avoid"] = "pass"
    media: Annotated[Literal["svg", "png"], msgspec.Meta(description="the kind of picture")] = "svg"


class Methods:
    """
    Dispatches methods.

    Parameters
    ----------
    files
        Whether scenes, boards, logs and goals can be named by file path.
    handles
        The open positions.
    """

    def __init__(self, *, files: bool = False, handles: Handles | None = None) -> None:
        self._files, self.handles = files, handles or Handles()
        self._own: dict[str, tuple[type[_Params], Callable[[Any], Any]]] = {
            "about": (Nothing, self._about),
            "schema": (SchemaParams, _schema),
            "known": (KnownParams, _known),
            "open": (OpenParams, self._open),
            "apply": (ApplyParams, self._apply),
            "scene": (PositionParams, self._scene),
            "show": (ShowParams, self._show),
            "close": (PositionParams, self._close),
        }

    @property
    def own(self) -> dict[str, type[_Params]]:
        """The methods other than verbs, with the params of each."""
        return {name: kind for name, (kind, _) in self._own.items()}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all methods."""
        return (*VERBS, *self._own)

    def call(self, method: str, params: dict[str, Any], stop: Stop) -> Any:
        """
        Return the result of a method.

        Raises
        ------
        Fault
            If there is no such method, or its params are invalid.
        """
        try:
            if method in VERBS:
                return self._verb(method, params, stop)
            if method not in self._own:
                raise Fault(METHOD, _no_method(method, self.names))
            kind, function = self._own[method]
            return function(struct_of(params, kind, source="params"))
        except TooManyError as error:
            raise Fault(BUSY, error.message) from None
        except BadInputError as error:
            message = error.message.replace(FILES, _FILES)
            raise fault_of(message, error.source, error.field) from None

    def _verb(self, verb: str, params: dict[str, Any], stop: Stop) -> dict[str, Any]:
        asked = {key: value for key, value in params.items() if key != "position"}
        if "verb" in asked:
            raise BadInputError("remove it; the method names the verb", field="verb")
        scene = None
        if verb in _ON_A_SCENE and not {"scene", "position"} & params.keys():
            raise BadInputError(
                "missing required field; expected the handle that `open` returned, or a `scene`",
                field="position",
            )
        if "position" in params:
            if "scene" in asked or not isinstance(params["position"], str):
                raise BadInputError(
                    "expected either a scene or the handle of a position", field="position"
                )
            scene = self.handles.scene(params["position"])
        found = answer({**asked, "verb": verb}, files=self._files, stop=stop, scene=scene)
        if found["status"] == "ERROR":
            wrong = found["error"]
            raise BadInputError(wrong["message"], source=wrong["source"], field=wrong["field"])
        return found

    # -- own methods -------------------------------------------------------------------------------

    def _about(self, _: Nothing) -> dict[str, Any]:
        return {
            "name": "marchtable", "version": version("marchtable"), "protocol": PROTOCOL,
            "methods": [*self.names, CANCEL, SHUTDOWN], "files": self._files,
        }  # fmt: skip

    def _open(self, params: OpenParams) -> dict[str, Any]:
        if (params.scene is None) == (params.text is None):
            raise BadInputError("expected either scene or text", field="scene")
        given: Any = params.scene
        if params.text is not None:
            head = params.text.lstrip()[:1]
            given = parsed(params.text, "scene.json" if head == "{" else "scene.toml", "text")
        scene = self._read(given)
        board = given.get("board") if isinstance(given, dict) else None
        handle = self.handles.open(scene, board)
        return summary(handle, scene)

    def _read(self, given: Any) -> Scene:
        if isinstance(given, str):
            if not self._files:
                raise no_file_names("scene")
            return load_scene(given)
        board = given.get("board") if isinstance(given, dict) else None
        if isinstance(board, str | list) and board != DEMO and not self._files:
            raise no_file_names("scene.board")
        return scene_of(given)

    def _apply(self, params: ApplyParams) -> dict[str, Any]:
        scene = self.handles.scene(params.position)
        log = log_of(params.actions, scene.position, source="params", field="actions")
        found = check_answer(scene.position, log)
        is_whole = found["stopped"] is None
        if not is_whole or not (params.anyway or found["status"] == "LEGAL"):
            return {"position": None, "check": found}
        after = check(scene.position, log).position
        handle = self.handles.after(params.position, after)
        return {**summary(handle, self.handles.scene(handle)), "check": found}

    def _scene(self, params: PositionParams) -> dict[str, Any]:
        return self.handles.data(params.position)

    def _show(self, params: ShowParams) -> dict[str, Any]:
        scene = self.handles.scene(params.position)
        drawn = picture_of(scene, params.unit, params.actions, params.rolls, params.media)
        text = drawn.decode() if params.media == "svg" else b64encode(drawn).decode()
        return {"media": MEDIA[params.media], "data": text, "base64": params.media != "svg"}

    def _close(self, params: PositionParams) -> dict[str, Any]:
        self.handles.close(params.position)
        return {"closed": params.position}


def _no_method(method: str, names: tuple[str, ...]) -> str:
    """Return the message for an unknown method."""
    if (word := method.lower()) in _BACK:
        return f"no method {method!r}: a position never changes; use the handle from before `apply`"
    if (meant := _SYNONYMS.get(word)) is not None:
        return f"no method {method!r}; nearest: {meant!r}"
    return unknown("method", method, names)


def picture_of(
    scene: Scene, unit: str | None, actions: list[Any] | None, rolls: str, media: str
) -> bytes:
    """Return a picture of a position: of a unit's reach, or of the path of some actions."""
    from marchtable.picture.figure import drawn_as
    from marchtable.picture.showing import scene_picture

    log = (
        None
        if actions is None
        else log_of(actions, scene.position, source="params", field="actions")
    )
    figure = scene_picture(scene.position, unit=unit, log=log, rolls=rolls, title=scene.name)
    return drawn_as(figure, f".{media}")


def _known(params: KnownParams) -> dict[str, Any]:
    return known_answer(params.kind, params.words, params.rulebook)


def _schema(params: SchemaParams) -> dict[str, Any]:
    return schema(params.name, params.rulebook)
