"""A match as an environment of PettingZoo in which all seats act at once."""

from typing import Any

from numpy.typing import NDArray
from pettingzoo import ParallelEnv as Base

from .aec import Seated
from .errors import IllegalAction, MatchEnded

Observations = dict[str, dict[str, NDArray[Any]]]


class ParallelEnv(Seated, Base):
    """See `croupier_gym.parallel_env`."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        self._begin(seed)
        return self._look({})

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        Observations,
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        if not self.agents:
            raise MatchEnded("the match has ended: reset it")
        given = {self.seat_of(agent): int(action) for agent, action in actions.items()}
        # Those that are asked; what the others give has no meaning.
        chosen = []
        for seat, count, _ in self.match.together():
            if seat not in given:
                agent = self.possible_agents[seat]
                raise IllegalAction(f"{agent} is asked and gives no action; it has {count}")
            chosen.append((seat, given[seat]))
        refused = self.match.step_together(chosen)
        agents, match = self.agents, self.match
        rewards = dict(zip(agents, match.rewards(self.reward).tolist()))
        is_over = match.ended or match.truncated
        terminations = dict.fromkeys(agents, match.ended)
        truncations = dict.fromkeys(agents, match.truncated)
        observations, infos = self._look(refused)
        if is_over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _look(self, refused: dict[int, str]) -> tuple[Observations, dict[str, dict[str, Any]]]:
        counts = {seat: count for seat, count, _ in self.match.together()}
        observations = {
            agent: self._observation(seat, counts.get(seat, 0))
            for seat, agent in enumerate(self.agents)
        }
        infos = {
            agent: {"refused": refused[seat]} if seat in refused else {}
            for seat, agent in enumerate(self.agents)
        }
        return observations, infos

    def clone(self) -> "ParallelEnv":
        """Another environment in the same state."""
        other = ParallelEnv.__new__(ParallelEnv)
        other.__dict__.update(self.__dict__)
        other.match = self.match.clone()
        other.agents = self.agents.copy()
        return other

    def restore(self, other: "ParallelEnv") -> None:
        """Takes over the state of another environment of the same game and seats."""
        if other is not self:
            self.match.restore(other.match)
        self.agents = other.agents.copy()
        self._seed, self._episode = other._seed, other._episode
