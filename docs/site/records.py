"""A Griffe extension: the fields of a record are the parameters of its constructor."""

from __future__ import annotations

from typing import Any

from griffe import Attribute, Class, Extension, Function, Parameter, ParameterKind, Parameters


class Records(Extension):
    """Adds ``__init__`` to msgspec's structs and to named tuples, which are read without running."""

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Add the constructor if the class has none and its docstring describes parameters."""
        if (
            "__init__" in cls.members
            or not cls.docstring
            or "Parameters\n" not in cls.docstring.value
        ):
            return
        fields = [
            one
            for one in cls.members.values()
            if isinstance(one, Attribute)
            and one.annotation is not None
            and "property" not in one.labels
        ]
        kind = ParameterKind.positional_or_keyword
        made = [
            Parameter(one.name, annotation=one.annotation, kind=kind, default=one.value)
            for one in fields
        ]
        if fields:
            parameters = Parameters(Parameter("self", kind=kind), *made)
            cls.set_member("__init__", Function("__init__", parameters=parameters, returns="None"))
