"""Waiting times of bot authors, with peers in the same run: ``python -m benchmarks.opponent_speed``.

python-chess and PettingZoo's chess are asked where they are installed (``pip install chess``).
"""

from __future__ import annotations

import statistics
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from benchmarks import scenes
from benchmarks.play import least_arcs
from marchtable.files.scenes import load
from marchtable.play import Game, States, legal_actions, perft, threat_map
from marchtable.play.following import after
from marchtable.reachability.reach import query_of, reach
from marchtable.rules.generator import legal_actions as slow_actions
from marchtable.rules.generator import perft as slow_perft

if TYPE_CHECKING:
    from collections.abc import Callable

    from marchtable.state.position import Position

ROUNDS, PLIES = 5, 40


def took(what: Callable[[], Any], rounds: int = ROUNDS) -> float:
    """Return the least processor time of some rounds, in seconds."""
    found = []
    for _ in range(rounds):
        before = time.process_time()
        what()
        found.append(time.process_time() - before)
    return min(found)


def line(what: str, value: str, aim: str = "", *, met: bool | None = None) -> None:
    """Print a row of the table."""
    found = "" if met is None else "met" if met else "MISSED"
    print(f"| {what} | {value} | {aim} | {found} |", flush=True)


def playouts(position: Position[Any, Any], games: int, *, whole: bool) -> int:
    """Play at random, from a side's whole list or unit by unit, and return the actions."""
    random, count = Random(1), 0
    for _ in range(games):
        game = Game(position)
        for _ in range(PLIES):
            if whole:
                options = game.legal_actions()
                action = random.choice(options) if options else None
            else:
                action = game.random_action(random)
            if action is None:
                break
            game.push(action)
            count += 1
    return count


def of_listing(name: str, position: Position[Any, Any]) -> None:
    """Time lists of legal actions, in new positions on a known board."""
    units = [unit.id for unit in position.units if unit.side == position.side]
    nexts = [after(position, action) for action in Game(position).legal_actions()[:40]]
    for each in nexts:
        legal_actions(each)

    def pairs_with(unit: str) -> object:
        return legal_actions(msgspec.structs.replace(position), unit)

    plain = statistics.mean([took(partial(pairs_with, unit)) for unit in units])

    def stated() -> list[Position[Any, Any]]:
        found = [after(position, c) for c in Game(position).legal_actions()[:40]]
        for one in found:
            legal_actions(one, units[0])
        return found

    moves = Game(position).legal_actions()[:40]
    alone = took(lambda: [after(position, c) for c in moves])
    of_next = (took(stated) - alone) / len(moves)
    side = took(lambda: legal_actions(msgspec.structs.replace(position)))
    slow = took(lambda: slow_actions(msgspec.structs.replace(position)))
    line(
        f"{name}: of a unit, fresh position, us", f"{plain * 1e6:.0f}", "<= 50", met=plain <= 50e-6
    )
    line(
        f"{name}: of a unit, after an action, us",
        f"{of_next * 1e6:.0f}",
        "<= 50",
        met=of_next <= 50e-6,
    )
    line(
        f"{name}: of {len(units)} units, fresh position, us",
        f"{side * 1e6:.0f}",
        "<= 500",
        met=side <= 500e-6,
    )
    line(f"{name}: the same, slow generator, us", f"{slow * 1e6:.0f}")


def of_perft(name: str, position: Position[Any, Any], depth: int) -> None:
    """Count by both generators."""
    nodes = perft(position, depth)
    assert nodes == slow_perft(position, depth)
    rate = nodes / took(lambda: perft(position, depth), 3)  # type: ignore[operator]
    slow = nodes / took(lambda: slow_perft(position, depth), 1)  # type: ignore[operator]
    line(
        f"{name}: perft {depth}, {nodes} nodes, nodes/s",
        f"{rate:.0f}",
        ">= 50000",
        met=rate >= 50_000,
    )
    line(f"{name}: the same, slow generator", f"{slow:.0f}")


def of_playouts(name: str, position: Position[Any, Any]) -> None:
    """Play at random until the tables are warm, then time it."""
    for whole in (False, True):
        for _ in range(3):
            count = playouts(position, 60, whole=whole)
        rate = count / took(partial(playouts, position, 60, whole=whole), 3)
        how = "all listed each time" if whole else "a unit at a time"
        line(f"{name}: playouts, {how}, actions/s", f"{rate:.0f}", ">= 5000", met=rate >= 5_000)


def of_states(position: Position[Any, Any]) -> None:
    """Ask for successors as arrays."""
    states = States(position, "u")
    rows = np.tile(np.arange(states.size), 20)
    spent = np.zeros(len(rows), np.int64)
    rate = len(rows) / took(lambda: states.onward(rows, spent))
    line(
        "successors of a truck's states as arrays, states/s",
        f"{rate:.0f}",
        ">= 1000000",
        met=rate >= 1e6,
    )


def of_threats(position: Position[Any, Any]) -> None:
    """Draw a threat map by reach, by networkx and, where it is installed, by scipy, on the same arcs."""
    import networkx as nx

    side = position.side
    units = [unit.id for unit in position.units if unit.side == side]
    reach(position, units)
    ours = took(lambda: threat_map(msgspec.structs.replace(position), side))
    graphs, arcs = [], []
    for name in units:
        query = query_of(position, name)
        space, _, (rows,) = query.space.complete([query.starts], [query.costs])
        plain = least_arcs(space)
        owner = np.repeat(np.arange(plain.size), plain.middle - plain.first)
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(plain.size))
        graph.add_weighted_edges_from(
            zip(owner.tolist(), plain.target.tolist(), plain.cost.tolist(), strict=True)
        )
        most = int(query.space.most)
        graphs.append((graph, rows, most))
        arcs.append((plain, owner, rows, most))
    by_nx = took(
        lambda: [nx.multi_source_dijkstra_path_length(g, r, cutoff=m) for g, r, m in graphs], 2
    )
    line(f"threat map of {len(units)} units, ms", f"{ours * 1e3:.1f}")
    line(
        "networkx on the same arcs, graphs there already, ms",
        f"{by_nx * 1e3:.0f}",
        f"{by_nx / ours:.0f} times",
    )
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        line("scipy on the same, ms", "not installed")
        return
    matrices = []
    for plain, owner, rows, most in arcs:
        costs = plain.cost.astype(float) + 1e-9  # scipy takes zero for no arc
        matrices.append((csr_matrix((costs, (owner, plain.target)), (plain.size,) * 2), rows, most))
    by_scipy = took(lambda: [dijkstra(g, indices=r, limit=m + 0.5) for g, r, m in matrices], 3)
    line("scipy on the same, ms", f"{by_scipy * 1e3:.1f}", f"{by_scipy / ours:.1f} times")


def of_environments() -> None:
    """Step our environment, and PettingZoo's chess, at random."""
    from marchtable.env import raw_env

    for name in ("asl/cross-the-gully", "panzer/deliver-the-guns", "valor/the-farm"):
        made = raw_env(name)
        stepped(made, 200)
        line(f"environment {name}, steps/s", f"{200 / took(partial(stepped, made, 200), 3):.0f}")
    try:
        from pettingzoo.classic import chess_v6
    except ImportError:
        line("PettingZoo's chess", "not installed")
        return
    chess = chess_v6.raw_env()
    line("PettingZoo's chess, steps/s", f"{200 / took(lambda: stepped(chess, 200), 3):.0f}")


def stepped(world: Any, steps: int) -> None:
    """Step an environment this often, choosing at random."""
    random = np.random.default_rng(1)
    world.reset(seed=1)
    for _ in range(steps):
        seen, _, ended, cut, _ = world.last()
        if ended or cut or not world.agents:
            world.reset(seed=1)
            continue
        world.step(int(random.choice(np.flatnonzero(seen["action_mask"]))))


def of_chess() -> None:
    """Count python-chess's positions."""
    try:
        import chess
    except ImportError:
        line("python-chess perft", "not installed")
        return

    def count(board: Any, depth: int) -> int:
        if depth == 1:
            return board.legal_moves.count()  # type: ignore[no-any-return]
        found = 0
        for move in board.legal_moves:
            board.push(move)
            found += count(board, depth - 1)
            board.pop()
        return found

    nodes = count(chess.Board(), 4)
    rate = nodes / took(lambda: count(chess.Board(), 4), 2)
    line(f"python-chess: perft 4, {nodes} nodes, nodes/s", f"{rate:.0f}")


def main() -> None:
    """Time all of it."""
    board = scenes.single()
    demo = load(scenes.DEMO / "scene.toml")
    small = scenes.asl(demo.board, [scenes.truck("truck", "B4"), scenes.squad("sq", "G6")])
    mixed = scenes.mixed(board, 10)
    crowd = scenes.crowd(board, 1, movers=10, enemies=10)
    print(f"Processor time, the least of some rounds, on a shared machine; board {board.name}.\n")
    print("| what | measured | aim | |\n|---|---|---|---|")
    for name, position, depth in (
        ("truck and squad", small, 4),
        ("5 trucks, 5 squads", mixed, 2),
        ("10 of all classes, 10 enemies", crowd, 2),
    ):
        of_listing(name, position)
        of_perft(name, position, depth)
        of_playouts(name, position)
    of_chess()
    of_states(scenes.asl(board, [scenes.truck("u", scenes.middle(board))]))
    of_threats(crowd)
    of_environments()


if __name__ == "__main__":
    main()
