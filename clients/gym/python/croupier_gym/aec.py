"""A match as an environment of PettingZoo in which one seat acts at a time (AEC)."""

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from ._native import Match
from .errors import MatchEnded, NoSuchSeat
from .spaces import mask_of, observation_space

RENDER_MODES = ["human", "ansi"]


class Seated:
    """What both kinds of environments share: a match, its agents and their spaces."""

    def __init__(
        self,
        game: str,
        seats: int | None,
        seed: int,
        options: dict[str, str] | None,
        reward: str,
        features: bool,
        render_mode: str | None,
        language: str,
        limits: dict[str, Any],
    ) -> None:
        self.match = Match(game, seats, seed, options, **limits)
        self.match.rewards(reward)  # Refuses an unknown one.
        self.reward = reward
        self.language = language
        self.render_mode = render_mode
        self.with_features = features
        self.possible_agents = [f"player_{seat}" for seat in range(self.match.seats)]
        self.agents: list[str] = []
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = observation_space(self.match, features)
        self.observation_spaces = {it: space for it in self.possible_agents}
        self.action_spaces = {
            it: spaces.Discrete(self.match.actions_max) for it in self.possible_agents
        }
        self.metadata = {
            "name": f"{self.match.game}_v1",
            "render_modes": RENDER_MODES,
            "is_parallelizable": True,
            "version": self.match.version,
        }
        self._seed, self._episode = seed, -1

    def observation_space(self, agent: str) -> spaces.Dict:
        self.seat_of(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        self.seat_of(agent)
        return self.action_spaces[agent]

    def seat_of(self, agent: str) -> int:
        """The seat of an agent."""
        seat = self._seat_of.get(agent)
        if seat is None:
            known = ", ".join(self.possible_agents)
            raise NoSuchSeat(f"there is no agent {agent!r}; there are {known}")
        return seat

    def seed(self, seed: int) -> None:
        """The next match is the first one of a seed."""
        self._seed, self._episode = seed, -1

    def _begin(self, seed: int | None) -> None:
        if seed is not None:
            self.seed(seed)
        self._episode += 1
        self.match.reset(self._seed, self._episode)
        self.agents = self.possible_agents[:]

    def _observation(self, seat: int, count: int) -> dict[str, NDArray[Any]]:
        observation: dict[str, NDArray[Any]] = {
            "observation": self.match.observe(seat),
            "action_mask": mask_of(count, self.match.actions_max),
        }
        if self.with_features:
            rows = np.zeros((self.match.actions_max, self.match.feature_size), np.int16)
            if count:
                rows[:count] = self.match.features(seat)
            observation["features"] = rows
        return observation

    def observe_text(self, agent: str) -> str:
        """What the agent sees, and what it can choose, in words."""
        return self.match.text(self.seat_of(agent), self.language, self.possible_agents)

    def render(self) -> str | None:
        """The table as a spectator sees it."""
        text = self.match.text(None, self.language, self.possible_agents)
        if self.render_mode != "human":
            return text
        print(text, end="\n\n")
        return None

    def close(self) -> None:
        """Nothing is open."""

    def state(self) -> NDArray[np.int32]:
        """The whole table, **hidden information included**: for training a critic only."""
        return self.match.state()

    @property
    def state_space(self) -> spaces.Space[Any]:
        return self.observation_spaces[self.possible_agents[0]]["observation"]


class AecEnv(Seated, AECEnv):
    """See `croupier_gym.aec_env`."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self._begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection: str | None = None
        self._select()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        seat = self.seat_of(agent)
        count = self.match.legal_count if self.match.asked == seat else 0
        return self._observation(seat, count)

    def step(self, action: int | None) -> None:
        if not self.agents:
            raise MatchEnded("the match has ended: reset it")
        agent: str = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            if action is not None:
                raise MatchEnded(f"the match has ended, so {agent} can only give None")
            self._was_dead_step(None)
            return
        match = self.match
        left = match.step(-1 if action is None else int(action))
        self._cumulative_rewards[agent] = 0.0
        if left and self.reward != "score":
            self._select()
            return
        for agent, reward in zip(self.possible_agents, match.rewards(self.reward).tolist()):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        if left:
            self._select()
            return
        self.terminations = dict.fromkeys(self.agents, match.ended)
        self.truncations = dict.fromkeys(self.agents, not match.ended)
        self._deads_step_first()

    def _select(self) -> None:
        seat = self.match.asked
        assert seat is not None, "a match that goes on asks somebody"
        self.agent_selection: str = self.possible_agents[seat]

    def clone(self) -> "AecEnv":
        """Another environment in the same state."""
        other = AecEnv.__new__(AecEnv)
        other.__dict__.update(self.__dict__)
        other.match = self.match.clone()
        other.restore(self)
        return other

    def restore(self, other: "AecEnv") -> None:
        """Takes over the state of another environment of the same game and seats."""
        if other is not self:
            self.match.restore(other.match)
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(self, name, getattr(other, name).copy())
        self.infos = {agent: dict(info) for agent, info in other.infos.items()}
        self.agent_selection = other.agent_selection
        self._skip_agent_selection = other._skip_agent_selection
        self._seed, self._episode = other._seed, other._episode
