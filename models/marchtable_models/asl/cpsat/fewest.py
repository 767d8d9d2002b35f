"""As few of some units as go badly together."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    IsBad = Callable[[Collection[str]], bool]

__all__ = ["fewest", "least"]

K = TypeVar("K", bound="Hashable")


def fewest(alike: Mapping[K, Sequence[str]], is_bad: IsBad) -> dict[K, list[str]]:
    """Return of each group of units that are alike as few as together are still bad."""
    kept = {key: [*names] for key, names in alike.items()}
    for key, names in alike.items():
        others = [name for other, some in kept.items() if other != key for name in some]
        low, high = 0, len(names)
        while low < high:
            middle = (low + high) // 2
            if is_bad([*others, *names[:middle]]):
                high = middle
            else:
                low = middle + 1
        kept[key] = [*names[:low]]
    return {key: some for key, some in kept.items() if some}


def least(names: Sequence[str], is_bad: IsBad) -> tuple[str, ...]:
    """Return as few of the names as are still bad; none if even all of them are not."""
    if not names or is_bad(()) or not is_bad(names):
        return ()
    return tuple(fewest({name: (name,) for name in names}, is_bad))
