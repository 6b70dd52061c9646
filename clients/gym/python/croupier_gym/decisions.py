"""The decisions of recorded matches, each as its seat saw it."""

from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from . import _native


@dataclass(frozen=True)
class MatchDecisions:
    """The decisions of one match, in columns of equal length."""

    match: str
    game: str
    seats: int
    version: str
    """That of the observations and features: see `Match.version`."""
    position: NDArray[np.int64]
    seat: NDArray[np.int8]
    observation: NDArray[np.int32]
    """A row for each decision."""
    legal_count: NDArray[np.int32]
    choice: NDArray[np.int32]
    """The index among the legal actions; -1 if the list has only examples of such actions."""
    verb: list[str]
    action: list[bytes]
    """The protobuf message of the action that was chosen."""
    features: NDArray[np.int16]
    """The rows of all legal actions of all decisions, one below the other: `legal_count[0]` rows of
    the first decision, then those of the second. Empty unless they were asked for."""
    elapsed_ms: NDArray[np.int64]
    """The time since the entry before."""
    clock_ms: NDArray[np.int64]
    """What was left on the seat's clock when it last stopped; -1 without a time control."""
    reward: NDArray[np.float32]
    """What the whole match was worth to the seat; 0 for a match that has not ended."""
    score: NDArray[np.int32]
    """The seat's points at the end."""

    def __len__(self) -> int:
        return len(self.position)


def decisions(
    path: str | PathLike[str], *, reward: str = "win", features: bool = False
) -> Iterator[MatchDecisions]:
    """Reads the decisions of a file of records, match by match.

    Each match is verified while it is read; `BadRecord` is raised for one that was altered. The
    decisions of erased players are left out, and so are those that seats let pass.
    """
    reading = _native.Decisions(path, reward=reward, features=features)
    while (columns := reading.next()) is not None:
        yield MatchDecisions(**columns)

