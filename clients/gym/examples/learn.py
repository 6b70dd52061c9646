"""Learns to play Mountebank by playing against itself: `python learn.py`.

The policy is linear: each legal action gets a score from its features and the size of the hand, and
actions are drawn by the softmax of the scores. After each batch of matches, scores move towards the
actions of winners (REINFORCE). It takes a minute or two, and then wins most matches against random
play.
"""

import argparse

import croupier_gym
import numpy as np
from croupier_gym import Match
from numpy.typing import NDArray

GAME = "mountebank"
# No list of legal actions that we have seen is longer.
ACTIONS_MAX = 256
MATCHES = 128

Floats = NDArray[np.float64]


class Policy:
    """Scores of actions, linear in what is known about them."""

    def __init__(self) -> None:
        match = Match(GAME)
        planes = {plane.name: plane for plane in match.feature_planes}
        self.verbs = len(planes["verb"].values)
        self.pieces = slice(
            planes["pieces"].offset, planes["pieces"].offset + planes["pieces"].size
        )
        cells = {plane.name: plane for plane in match.planes}
        self.places = cells["pieces"]
        self.hand = cells["pieces"].values.index("hand/0") + 1
        self.ends = cells["marks"].offset + cells["marks"].labels.index("turns-left")
        # The suits that cards show.
        self.facets = facets(GAME)
        self.weights = np.zeros(self.inputs(match.observe()[None], match.features()[None]).shape[-1])

    def inputs(self, observation: NDArray, features: NDArray) -> Floats:
        """By match and action: what the score is linear in."""
        verb = features[..., 0, None] == np.arange(1, self.verbs + 1)
        pieces = features[..., self.pieces].astype(np.float64)
        count = pieces.sum(axis=-1, keepdims=True)
        in_hand = observation[..., self.places.offset :][..., : self.places.size] == self.hand
        hand = in_hand.sum(axis=-1)[:, None, None]
        last = (observation[:, self.ends] > 0)[:, None, None]
        shown = pieces @ self.facets
        # A con is worth how many cards show one suit times how many show another.
        best = np.sort(shown, axis=-1)[..., -2:]
        worth = best.prod(axis=-1, keepdims=True)
        own = (in_hand[:, None, :] * 1.0) @ self.facets
        fits = (shown * own).sum(axis=-1, keepdims=True)
        numbers = [verb, verb * count, verb * worth, verb * fits, verb * hand, verb * last]
        numbers += [verb * last * worth, verb * hand * worth]
        return np.concatenate(numbers, axis=-1) / 8

    def chances(self, inputs: Floats, counts: NDArray) -> Floats:
        scores = inputs @ self.weights
        scores[np.arange(scores.shape[-1]) >= counts[:, None]] = -np.inf
        scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
        return scores / scores.sum(axis=-1, keepdims=True)


def facets(game: str) -> Floats:
    """By card and suit: whether the card shows it."""
    rows = [set(shown["suits"][1]) for _, shown in croupier_gym.pieces(game)]
    suits = sorted(set.union(*rows))
    return np.array([[float(it in row) for it in suits] for row in rows])


def pick(chances: Floats, random: np.random.Generator) -> NDArray[np.int64]:
    """An action of each match, drawn by its chances."""
    drawn = random.random(len(chances))[:, None] * chances.sum(axis=-1, keepdims=True)
    return (chances.cumsum(axis=-1) <= drawn).sum(axis=-1).clip(max=chances.shape[-1] - 1)


def train(policy: Policy, updates: int, seed: int) -> None:
    """Plays batches of matches against itself, and learns from each."""
    random = np.random.default_rng(seed)
    env = croupier_gym.vector_env(
        GAME, MATCHES, seed=seed, features=True, actions_max=ACTIONS_MAX
    )
    mean, spread = np.zeros_like(policy.weights), np.zeros_like(policy.weights)
    for update in range(1, updates + 1):
        observation, infos = env.reset()
        # By match and seat: how the log-probability of its actions changes with the weights.
        slopes = np.zeros((MATCHES, env.seats, len(policy.weights)))
        won = np.zeros((MATCHES, env.seats))
        playing = np.ones(MATCHES, bool)
        while playing.any():
            rows = np.flatnonzero(playing)
            counts = infos["legal_count"]
            longest = int(counts[rows].max())
            features = observation["features"][rows, :longest]
            inputs = policy.inputs(observation["observation"][rows], features)
            chances = policy.chances(inputs, counts[rows])
            actions = np.zeros(MATCHES, np.int64)
            actions[rows] = chosen = pick(chances, random)
            expected = np.einsum("na,nak->nk", chances, inputs)
            taken = inputs[np.arange(len(rows)), chosen]
            slopes[rows, infos["seat"][rows]] += taken - expected
            observation, rewards, ended, _, infos = env.step(actions)
            over = playing & ended
            won[over] = rewards[over]
            playing &= ~ended
        slope = np.einsum("ns,nsk->k", won, slopes) / MATCHES
        # Adam: steps of equal size in every direction.
        mean += 0.1 * (slope - mean)
        spread += 0.01 * (slope**2 - spread)
        scaled = np.sqrt(spread / (1 - 0.99**update)) + 1e-8
        policy.weights += 0.1 * mean / (1 - 0.9**update) / scaled


def rate(policy: Policy, matches: int, seed: int) -> float:
    """The share of matches that the policy wins against random play; a tie is half a win. It has
    each seat equally often."""
    random = np.random.default_rng(seed)
    env = croupier_gym.vector_env(
        GAME, matches, seed=seed, features=True, actions_max=ACTIONS_MAX
    )
    observation, infos = env.reset(seed=seed)
    own = np.arange(matches) % 2
    points = np.zeros(matches)
    playing = np.ones(matches, bool)
    while playing.any():
        counts = infos["legal_count"]
        actions = (random.random(matches) * counts).astype(np.int64)
        rows = np.flatnonzero(infos["seat"] == own)
        if len(rows):
            longest = int(counts[rows].max())
            features = observation["features"][rows, :longest]
            inputs = policy.inputs(observation["observation"][rows], features)
            actions[rows] = pick(policy.chances(inputs, counts[rows]), random)
        observation, rewards, ended, _, infos = env.step(actions)
        over = playing & ended
        points[over] = (rewards[over, own[over]] + 1) / 2
        playing &= ~ended
    return float(points.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--updates", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    policy = Policy()
    print(f"before: {rate(policy, 1000, 99):.0%} of 1000 matches against random play")
    train(policy, options.updates, options.seed)
    print(f"after:  {rate(policy, 1000, 99):.0%}")


if __name__ == "__main__":
    main()
