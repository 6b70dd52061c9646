"""The tests that PettingZoo has for environments, on every game."""

import contextlib
import io
import unittest
import warnings

import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, parallel_api_test, render_test, seed_test

import croupier_gym as gym

GAMES = [name for name, *_ in gym.games()]


# An observation with a mask is a dictionary of arrays.
USUAL = {
    "Observation space for each agent probably should be gymnasium.spaces.box or "
    "gymnasium.spaces.discrete",
    "Observation is not a NumPy array",
}


class PettingZoo(unittest.TestCase):
    def setUp(self) -> None:
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        caught = self.enterContext(warnings.catch_warnings(record=True))
        warnings.simplefilter("always")
        self.addCleanup(lambda: self.assertLessEqual({str(it.message) for it in caught}, USUAL))

    def test_every_game_passes_the_test_of_the_interface(self) -> None:
        for game in GAMES:
            with self.subTest(game):
                api_test(gym.aec_env(game, features=True), num_cycles=200)

    def test_a_seed_decides_everything(self) -> None:
        for game in GAMES:
            with self.subTest(game):
                seed_test(lambda: gym.aec_env(game), num_cycles=100)

    def test_every_game_passes_the_test_of_parallel_environments(self) -> None:
        for game in GAMES:
            with self.subTest(game):
                parallel_api_test(gym.parallel_env(game), num_cycles=300)

    def test_every_game_is_rendered(self) -> None:
        for game in GAMES:
            with self.subTest(game):
                render_test(lambda render_mode=None: gym.aec_env(game, render_mode=render_mode))


class Environments(unittest.TestCase):
    def test_a_clone_goes_on_alike_and_apart(self) -> None:
        for game in GAMES:
            env = gym.aec_env(game, reward="score")
            env.reset(seed=3)
            play(env, 30, 1)
            clone = env.clone()
            before = seen(clone)
            play(env, 20, 2)
            self.assertTrue(data_equivalence(before, seen(clone)), "a clone is apart")
            after = seen(env)
            play(clone, 20, 2)
            self.assertTrue(data_equivalence(after, seen(clone)), game)
            env.restore(clone)
            self.assertTrue(data_equivalence(seen(clone), seen(env)), game)

    def test_a_vector_plays_the_matches_that_single_ones_play(self) -> None:
        for game in GAMES:
            vector = gym.vector_env(game, 3, features=True)
            observation, infos = vector.reset(seed=5)
            match = gym.Match(game, seed=5)
            random = np.random.default_rng(0)
            for _ in range(150):
                count = int(infos["legal_count"][0])
                if match.legal_count == 0:
                    break
                self.assertEqual(count, match.legal_count)
                self.assertEqual(int(infos["seat"][0]), match.asked)
                np.testing.assert_array_equal(observation["observation"][0], match.observe())
                np.testing.assert_array_equal(observation["action_mask"][0].sum(), count)
                rows = observation["features"][0]
                np.testing.assert_array_equal(rows[:count], match.features())
                self.assertFalse(rows[count:].any())
                actions = (random.random(3) * infos["legal_count"]).astype(np.int64)
                match.step(int(actions[0]))
                _, rewards, ended, _, _ = vector.step(actions)
                np.testing.assert_array_equal(rewards[0], match.rewards())
                self.assertEqual(bool(ended[0]), match.ended)

    def test_threads_change_nothing(self) -> None:
        for game in GAMES:
            one, three = (gym.vector_env(game, 10, features=True, threads=it) for it in (1, 3))
            one.reset(seed=2), three.reset(seed=2)
            random = np.random.default_rng(3)
            for _ in range(60):
                actions = (random.random(10) * one.native.counts).astype(np.int64)
                self.assertTrue(data_equivalence(one.step(actions), three.step(actions)), game)

    def test_a_vector_goes_on_with_the_next_match(self) -> None:
        vector = gym.vector_env("mountebank", 16)
        _, infos = vector.reset(seed=1)
        ends = 0
        for _ in range(200):
            _, rewards, ended, cut, infos = vector.step(np.zeros(16, np.int64))
            self.assertTrue((infos["legal_count"] > 0).all())
            np.testing.assert_allclose(rewards.sum(axis=1), 0, atol=1e-6)
            self.assertFalse(rewards[~ended].any())
            ends += int(ended.sum())
        self.assertGreater(ends, 16)
        self.assertFalse(cut.any())

    def test_rewards_are_of_the_result(self) -> None:
        for game in GAMES:
            seats = 3
            match = gym.Match(game, seats, 2)
            points = np.zeros(seats)
            random = np.random.default_rng(1)
            while match.legal_count:
                match.step(int(random.integers(match.legal_count)))
                points += match.rewards("score")
            self.assertEqual(points.tolist(), match.scores)
            won = match.rewards("win")
            self.assertAlmostEqual(float(won.sum()), 0, places=5)
            self.assertEqual({int(it) for it in np.flatnonzero(won > 0)}, set(match.winners))
            placed = match.rewards("placement")
            self.assertAlmostEqual(float(placed.sum()), 0, places=5)
            self.assertEqual(int(placed.argmax()) in match.winners, True)

    def test_a_match_that_is_too_long_is_cut(self) -> None:
        env = gym.aec_env("mountebank", steps_max=7)
        env.reset()
        play(env, 7, 0)
        self.assertTrue(all(env.truncations.values()))
        self.assertFalse(any(env.terminations.values()))
        with self.assertRaises(gym.MatchEnded):
            env.match.step(0)


class Errors(unittest.TestCase):
    def test_errors_say_what_is_known(self) -> None:
        env = gym.aec_env("mountebank")
        env.reset()
        cases = [
            (lambda: gym.Match("chess"), gym.UnknownGame, "mountebank, grifters"),
            (lambda: gym.Match("mountebank", 7), gym.BadOptions, "2 to 4 seats, not 7"),
            (lambda: gym.Match("mountebank", -1), gym.BadOptions, "2 to 4 seats, not -1"),
            (
                lambda: gym.Match("mountebank", 2, 0, {"speed": "fast"}),
                gym.BadOptions,
                "it has: first-seat",
            ),
            (lambda: gym.aec_env("mountebank", reward="gold"), gym.BadOptions, "win, placement"),
            (lambda: env.step(9999), gym.IllegalAction, "9999 is not the index of a legal action"),
            (lambda: env.step(-1), gym.IllegalAction, "counted from 0"),
            (lambda: env.observe("player_9"), gym.NoSuchSeat, "player_0, player_1"),
            (lambda: env.match.observe(9), gym.NoSuchSeat, "no seat 9"),
            (lambda: env.match.text(0, "xx"), gym.BadOptions, "no texts in"),
            (lambda: env.match.record(["ann"]), gym.NoRecord, "1 players are given for 2"),
            (lambda: env.match.imagine(0, 1).record(), gym.NoRecord, "imagined"),
            (lambda: env.match.restore(gym.Match("rigs")), gym.BadShape, "another game"),
            (lambda: env.match.observe_into(np.zeros(3, np.int32)), gym.BadShape, "numbers"),
            (lambda: gym.vector_env("mountebank", 0), gym.BadOptions, "at least one"),
        ]
        for call, error, text in cases:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()

    def test_a_vector_carries_out_all_actions_or_none(self) -> None:
        vector = gym.vector_env("mountebank", 4)
        observation, _ = vector.reset()
        before = observation["observation"].copy()
        with self.assertRaisesRegex(gym.IllegalAction, "match 2 of the vector: 600 is not"):
            vector.step(np.array([0, 0, 600, 0]))
        with self.assertRaisesRegex(gym.BadShape, "4 actions"):
            vector.step(np.array([0, 0]))
        np.testing.assert_array_equal(observation["observation"], before)

    def test_nobody_acts_after_the_end(self) -> None:
        env = gym.aec_env("mountebank")
        env.reset()
        play(env, 1000, 0)
        self.assertTrue(all(env.terminations.values()))
        with self.assertRaises(gym.MatchEnded):
            env.step(0)
        with self.assertRaises(gym.MatchEnded):
            env.match.step(0)
        for _ in range(2):
            env.step(None)
        with self.assertRaises(gym.MatchEnded):
            env.step(None)
        parallel = gym.parallel_env("mountebank")
        parallel.reset()
        with self.assertRaisesRegex(gym.IllegalAction, "is asked and gives no action"):
            parallel.step({})


def play(env: gym.AecEnv, steps: int, seed: int) -> None:
    """Plays at random."""
    random = np.random.default_rng(seed)
    for _ in range(steps):
        if env.match.legal_count == 0:
            return
        env.step(int(random.integers(env.match.legal_count)))


def seen(env: gym.AecEnv) -> tuple:
    """Everything that an environment shows."""
    observations = {agent: env.observe(agent) for agent in env.possible_agents}
    texts = [env.observe_text(agent) for agent in env.possible_agents]
    return observations, texts, env.rewards, env._cumulative_rewards, env.terminations


if __name__ == "__main__":
    unittest.main()
