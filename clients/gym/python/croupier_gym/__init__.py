"""Croupier's games in process, for research: environments of PettingZoo and Gymnasium, clones and
imagined worlds, records that everyone can verify, and decisions as data.

`docs/research.md` is the guide.
"""

from typing import Any

from . import errors
from ._native import Match, Plane, games, pieces
from .aec import AecEnv
from .decisions import MatchDecisions, decisions
from .errors import (
    BadOptions,
    BadRecord,
    BadShape,
    GymError,
    IllegalAction,
    MatchEnded,
    NoRecord,
    NoSuchSeat,
    UnknownGame,
)
from .parallel import ParallelEnv
from .spaces import expand, expanded_size
from .vector import VectorEnv


def aec_env(
    game: str,
    seats: int | None = None,
    seed: int = 0,
    options: dict[str, str] | None = None,
    *,
    reward: str = "win",
    features: bool = False,
    render_mode: str | None = None,
    language: str = "en",
    **limits: Any,
) -> AecEnv:
    """A match in which one seat acts at a time, as PettingZoo's AEC has it.

    Without `seats`, it has as few as the game takes. `reward` is `win`, `placement` or `score`.
    `limits` are `asks_optional` (whether seats are asked that need not act), `actions_max` and
    `steps_max`.
    """
    return AecEnv(game, seats, seed, options, reward, features, render_mode, language, limits)


def parallel_env(
    game: str,
    seats: int | None = None,
    seed: int = 0,
    options: dict[str, str] | None = None,
    *,
    reward: str = "win",
    features: bool = False,
    render_mode: str | None = None,
    language: str = "en",
    **limits: Any,
) -> ParallelEnv:
    """A match in which all seats act at once, as PettingZoo's parallel environments have it.

    The mask of a seat that is not asked is empty, and what it gives has no meaning. Actions of one
    step are carried out one after another, clockwise from the turn; one that is not possible any
    more has no effect, and `infos` say why.
    """
    return ParallelEnv(game, seats, seed, options, reward, features, render_mode, language, limits)


def vector_env(
    game: str,
    n: int,
    seats: int | None = None,
    seed: int = 0,
    options: dict[str, str] | None = None,
    *,
    reward: str = "win",
    features: bool = False,
    threads: int = 1,
    **limits: Any,
) -> VectorEnv:
    """Matches for self-play: in each, the seat that it asks acts with every step.

    Rewards have a column for each seat, and `infos["seat"]` says whose turn it is. The matches are
    divided among `threads`; their number changes nothing about what is played.
    """
    return VectorEnv(game, n, seats, seed, options, reward, features, threads, limits)


__all__ = [
    "AecEnv",
    "BadOptions",
    "BadRecord",
    "BadShape",
    "GymError",
    "IllegalAction",
    "Match",
    "MatchDecisions",
    "MatchEnded",
    "NoRecord",
    "NoSuchSeat",
    "ParallelEnv",
    "Plane",
    "UnknownGame",
    "VectorEnv",
    "aec_env",
    "decisions",
    "errors",
    "expand",
    "expanded_size",
    "games",
    "parallel_env",
    "pieces",
    "vector_env",
]
