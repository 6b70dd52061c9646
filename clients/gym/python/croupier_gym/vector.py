"""Many matches of one game, each of which takes an action with every step."""

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv as Base
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from ._native import Match, Vector
from .spaces import observation_space


class VectorEnv(Base):
    """See `croupier_gym.vector_env`."""

    def __init__(
        self,
        game: str,
        n: int,
        seats: int | None,
        seed: int,
        options: dict[str, str] | None,
        reward: str,
        features: bool,
        threads: int,
        limits: dict[str, Any],
    ) -> None:
        match = Match(game, seats, seed, options, **limits)
        self.native = Vector(
            game,
            n,
            seats,
            options,
            reward=reward,
            features=features,
            threads=threads,
            **limits,
        )
        self.num_envs = n
        self.seats = match.seats
        self.version = match.version
        self.planes = match.planes
        self.feature_planes = match.feature_planes
        self.metadata = {
            "name": f"{match.game}_v1",
            "autoreset_mode": AutoresetMode.SAME_STEP,
            "version": match.version,
        }
        self.single_observation_space = observation_space(match, features)
        self.single_action_space = spaces.Discrete(match.actions_max)
        self.observation_space = batch_space(self.single_observation_space, n)
        self.action_space = batch_space(self.single_action_space, n)
        self._seed = seed
        native = self.native
        self._observation: dict[str, NDArray[Any]] = {
            "observation": native.observations,
            "action_mask": native.masks,
        }
        if native.features is not None:
            self._observation["features"] = native.features
        self._infos: dict[str, NDArray[Any]] = {"seat": native.asked, "legal_count": native.counts}
        self._rewards = native.rewards
        self._terminations = native.terminations
        self._truncations = native.truncations

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Begins every match anew. Without a seed, with the next one."""
        self._seed = self._seed if seed is None else seed
        self.native.reset(self._seed)
        self._seed += 1
        return self._observation, self._infos

    def step(
        self, actions: NDArray[np.integer]
    ) -> tuple[
        dict[str, NDArray[Any]],
        NDArray[np.float32],
        NDArray[np.bool_],
        NDArray[np.bool_],
        dict[str, NDArray[Any]],
    ]:
        """The seat that each match asks chooses.

        The arrays are the same ones each time, and the next step overwrites them: copy what is to
        be kept. A match that ended is followed by the next one at once; its row of rewards is what
        the match that ended gave to each seat.
        """
        self.native.step(np.ascontiguousarray(actions, np.int64))
        return (
            self._observation,
            self._rewards,
            self._terminations,
            self._truncations,
            self._infos,
        )

    def close(self, **kwargs: Any) -> None:
        """Nothing is open."""
