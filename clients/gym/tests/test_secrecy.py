"""Twin worlds: on two tables that a seat cannot tell apart, it is given the same bytes."""

import unittest
from collections.abc import Callable
from zlib import crc32

import numpy as np

import croupier_gym as gym

Given = list[bytes]


def given(match: gym.Match, seat: int) -> Given:
    """Everything that a seat is given: observation, mask, features, actions and text."""
    actions = [verb.encode() + b" " + message for verb, message in match.actions(seat)]
    count = match.count_of(seat)
    return [
        match.observe(seat).tobytes(),
        count.to_bytes(4, "little"),
        match.features(seat).tobytes(),
        b"\n".join(actions),
        match.text(seat).encode(),
    ]


def twins(game: str, give: Callable[[gym.Match, int], Given]) -> tuple[int, int, int]:
    """Plays at random. Returns how many twins there were, how many had another table, and of how
    many their seat was given something else."""
    compared = other = told = 0
    for seed in range(4):
        seats = 3
        match = gym.Match(game, seats, seed)
        random = np.random.default_rng(seed)
        for step in range(120):
            if match.legal_count == 0:
                break
            if step % 6 == 0:
                for seat in range(seats):
                    twin = match.imagine(seat, step)
                    compared += 1
                    other += match.state().tobytes() != twin.state().tobytes()
                    told += give(match, seat) != give(twin, seat)
            match.step(int(random.integers(match.legal_count)))
    return compared, other, told


class Secrecy(unittest.TestCase):
    def test_in_twin_worlds_a_seat_is_given_the_same(self) -> None:
        for game, *_ in gym.games():
            with self.subTest(game):
                compared, other, told = twins(game, given)
                self.assertGreater(other, compared / 2, "most twins have another table")
                self.assertEqual(told, 0)

    def test_a_planted_leak_is_noticed(self) -> None:
        def with_leak(match: gym.Match, seat: int) -> Given:
            # A single bit, which depends on every number of the whole table.
            return [*given(match, seat), bytes([crc32(match.state().tobytes()) & 1])]

        for game, *_ in gym.games():
            with self.subTest(game):
                self.assertGreater(twins(game, with_leak)[2], 0)

    def test_parallel_environments_and_vectors_give_what_matches_give(self) -> None:
        for game, *_ in gym.games():
            env = gym.parallel_env(game, features=True)
            observations, _ = env.reset(seed=4)
            for seat, agent in enumerate(env.agents):
                count = env.match.count_of(seat)
                own = observations[agent]
                np.testing.assert_array_equal(own["observation"], env.match.observe(seat))
                self.assertEqual(int(own["action_mask"].sum()), count)
                np.testing.assert_array_equal(own["features"][:count], env.match.features(seat))


if __name__ == "__main__":
    unittest.main()
