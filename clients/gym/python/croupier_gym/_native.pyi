from os import PathLike
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

@final
class Plane:
    """A named part of an observation, or of the features of an action."""

    name: str
    kind: str
    """`category`, `count`, `number` or `flag`."""
    offset: int
    labels: list[str]
    """The name of each of its numbers."""
    values: list[str]
    """Of a category: what 1, 2, 3 … stand for. 0 stands for none."""
    @property
    def size(self) -> int: ...

@final
class Match:
    """A match in process."""

    def __init__(
        self,
        game: str,
        seats: int | None = None,
        seed: int = 0,
        options: dict[str, str] | None = None,
        *,
        asks_optional: bool = True,
        actions_max: int = 1024,
        steps_max: int = 100_000,
    ) -> None:
        """Begins a match. Without `seats`, with as few as the game takes."""
    @property
    def game(self) -> str: ...
    @property
    def seats(self) -> int: ...
    @property
    def actions_max(self) -> int: ...
    @property
    def version(self) -> str:
        """A hash of what the numbers of observations and features mean."""
    @property
    def planes(self) -> list[Plane]: ...
    @property
    def feature_planes(self) -> list[Plane]: ...
    @property
    def observation_size(self) -> int: ...
    @property
    def feature_size(self) -> int: ...
    @property
    def asked(self) -> int | None:
        """The seat that is asked; `None` after the end."""
    @property
    def may_wait(self) -> bool:
        """Whether index 0 leaves the decision to others."""
    @property
    def legal_count(self) -> int:
        """How many actions the seat that is asked can choose from; 0 after the end."""
    @property
    def steps(self) -> int: ...
    @property
    def ended(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def scores(self) -> list[int]: ...
    @property
    def winners(self) -> list[int] | None: ...
    @property
    def resigned(self) -> list[int]: ...
    def reset(self, seed: int, episode: int = 0) -> None:
        """Begins another match: the `episode`th of a seed."""
    def step(self, index: int) -> int:
        """The seat that is asked chooses. Returns the next `legal_count`."""
    def together(self) -> list[tuple[int, int, bool]]:
        """The seats that may act now: seat, number of actions, and whether it may wait."""
    def step_together(self, chosen: list[tuple[int, int]]) -> dict[int, str]:
        """Some of them act at once. Returns why actions had no effect, by seat."""
    def rewards(self, reward: str = "win") -> NDArray[np.float32]:
        """What the last step gave each seat."""
    def observe(self, seat: int | None = None) -> NDArray[np.int32]: ...
    def observe_into(self, out: NDArray[np.int32], seat: int | None = None) -> None: ...
    def state(self) -> NDArray[np.int32]:
        """The whole table, **hidden information included**, in the planes of seat 0."""
    def count_of(self, seat: int | None = None) -> int: ...
    def features(self, seat: int | None = None) -> NDArray[np.int16]: ...
    def actions(self, seat: int | None = None) -> list[tuple[str, bytes]]:
        """The verb and the protobuf message of each action. Both are empty for waiting."""
    def text(
        self, seat: int | None = None, language: str = "en", names: list[str] | None = None
    ) -> str:
        """The table and the choices of a seat in words; without a seat, as a spectator sees it."""
    def clone(self) -> Match: ...
    def restore(self, match: Match) -> None: ...
    def imagine(self, seat: int, seed: int) -> Match:
        """A match on a table that the seat cannot tell from this one."""
    def record(
        self,
        players: list[str] | None = None,
        *,
        platform: str = "research",
        create_time: float | None = None,
        header: bool = True,
    ) -> str:
        """The lines of the match in a file of records."""

@final
class Vector:
    """Many matches. Its arrays are overwritten with each step."""

    def __init__(
        self,
        game: str,
        count: int,
        seats: int | None = None,
        options: dict[str, str] | None = None,
        *,
        reward: str = "win",
        asks_optional: bool = True,
        actions_max: int = 1024,
        steps_max: int = 100_000,
        features: bool = False,
        threads: int = 1,
    ) -> None: ...
    observations: NDArray[np.int32]
    masks: NDArray[np.int8]
    counts: NDArray[np.int32]
    asked: NDArray[np.int8]
    rewards: NDArray[np.float32]
    terminations: NDArray[np.bool_]
    truncations: NDArray[np.bool_]
    features: NDArray[np.int16] | None
    def reset(self, seed: int) -> None: ...
    def step(self, actions: NDArray[np.int64]) -> None: ...

@final
class Decisions:
    """The decisions of a file of records, match by match."""

    def __init__(
        self, path: str | PathLike[str], *, reward: str = "win", features: bool = False
    ) -> None: ...
    def next(self) -> dict[str, Any] | None: ...

def games() -> list[tuple[str, int, int, dict[str, list[str]]]]: ...
def pieces(game: str) -> list[tuple[str, dict[str, tuple[int | None, list[str]]]]]: ...
