"""Casualty choice in answer set programming: the closed form for clingo."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from marchtable_models.valor.allocation.advice import DEFAULTS
from marchtable_models.valor.allocation.options import BARE, PINS
from marchtable_models.valor.allocation.target import Target

if TYPE_CHECKING:
    from marchtable_models.valor.allocation.advice import Stack

RULES = """
1 { x(G,O) : opt(G,O) } 1 :- group(G).
over(J) :- reach(J), #sum { P,G : x(G,O), points(G,O,P) } >= n+J.
stage(S) :- x(G,O), in(G,O,S).
last(S) :- stage(S), not stage(T) : T = S+1..4.
far(S,J) :- x(G,O), in(G,O,S), far_of(G,O,R), reach(J), J < R.
:- over(J), last(S), not far(S,J).
left :- x(G,O), not gone(G,O).
:- not over(0), left.
:- x(G,O), exact(G,O), over(1).
:- x(G,O), exact(G,O), not over(0).
:- 2 { x(G,O) : bare(G,O) }.
:- x(G,O), bare(G,O), in(G,O,1), stage(2).
:- x(G,O), bare(G,O), in(G,O,3), stage(4).
later :- stage(S), S > 2.
:- later, x(G,O), first(G), not resolved(G,O).
:- later, #sum { P,G : x(G,O), first(G), points(G,O,P) } >= n.
#show x/2.
"""


def clingo_version() -> str:
    """Return clingo's version, or nothing if it is not installed."""
    if find_spec("clingo") is None:
        return ""
    import clingo

    return str(clingo.__version__)


def facts(stack: Stack) -> str:
    """Return the options of a hex as facts."""
    lines = []
    top, g = 0, 0
    target = Target(stack, 0, DEFAULTS)
    for class_ in target.classes(target.start, rolls=True):
        for _ in class_.names:
            lines.append(f"group({g}).")
            if not class_.group.pinned:
                lines.append(f"first({g}).")
            for o, option in enumerate(class_.options):
                at = f"({g},{o}"
                key = option.key
                lines.append(f"opt{at}). points{at},{key.points}).")
                if key.stage:
                    lines.append(f"in{at},{key.stage}). far_of{at},{key.reach}).")
                flags = {
                    "gone": key.gone,
                    "resolved": key.resolved and key.mode != PINS,
                    "bare": key.mode >= BARE,
                    "exact": key.mode > 0,
                }
                lines += [f"{name}{at})." for name, holds in flags.items() if holds]
                top = max(top, key.reach)
            g += 1
    return "\n".join([*lines, f"reach(0..{top})."])


def clingo_enumerates(stack: Stack, points: int) -> int:
    """Return the number of allocations clingo finds: ground and solve, nothing printed."""
    import clingo

    control = clingo.Control(["0", f"-c n={points}", "--warn=none"])
    control.add("base", [], RULES + facts(stack))
    control.ground([("base", [])])
    control.solve()
    return int(control.statistics["summary"]["models"]["enumerated"])
