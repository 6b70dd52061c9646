"""The spaces of Gymnasium, and planes as numbers for networks."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ._native import Match, Plane


def observation_space(match: Match, features: bool) -> spaces.Dict:
    """The observation of a seat, the mask of its actions and, on request, their features."""
    parts: dict[str, spaces.Space[Any]] = {
        "observation": _numbers((match.observation_size,), np.int32),
        "action_mask": spaces.Box(0, 1, (match.actions_max,), np.int8),
    }
    if features:
        parts["features"] = _numbers((match.actions_max, match.feature_size), np.int16)
    return spaces.Dict(parts)


def _numbers(shape: tuple[int, ...], kind: type[np.integer]) -> spaces.Box:
    limits = np.iinfo(kind)
    return spaces.Box(limits.min, limits.max, shape, kind)


def mask_of(count: int, actions_max: int) -> NDArray[np.int8]:
    """The mask of a list of actions: the first `count` are legal."""
    mask = np.zeros(actions_max, np.int8)
    mask[:count] = 1
    return mask


def expanded_size(planes: Sequence[Plane]) -> int:
    """How many numbers `expand` makes of a row."""
    return sum(it.size * (len(it.values) + 1 if it.kind == "category" else 1) for it in planes)


def expand(rows: NDArray[np.integer], planes: Sequence[Plane]) -> NDArray[np.float32]:
    """Rows as numbers for a network: each category becomes a one and zeros.

    Takes one row or many. The planes are those of the match (`planes` or `feature_planes`).
    """
    parts = []
    for plane in planes:
        part = rows[..., plane.offset : plane.offset + plane.size]
        if plane.kind == "category":
            ones = part[..., None] == np.arange(len(plane.values) + 1)
            parts.append(ones.reshape(*part.shape[:-1], -1).astype(np.float32))
        else:
            parts.append(part.astype(np.float32))
    return np.concatenate(parts, axis=-1)
