"""Imported by the process that others are forked from: loads and runs what they share."""

from __future__ import annotations

import gc

from marchtable.reachability import kernel
from marchtable.rules.rulebook import find_rulebook, rulebook_names
from marchtable.service import worker as worker


def _warm() -> None:
    """Load the rulebooks and compile the kernel; exempt all of it from garbage collection."""
    from marchtable.files.scenes import load_scene
    from marchtable.play.options import options

    kernel.warm()
    for name in rulebook_names():
        book = find_rulebook(name)
        if book.demo is not None and (scene := book.demo / "scene.toml").exists():
            options(load_scene(scene).position, reach=True)
    gc.collect()
    gc.freeze()


_warm()
