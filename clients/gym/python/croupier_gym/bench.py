"""Measures how fast matches are played: `python -m croupier_gym.bench`.

Each line is one kind of play on one thread: actions per second of the clock, and per second of CPU
time of this process, which is less disturbed by other programs. OpenSpiel and RLCard are measured
in the same run if they are installed. Every player acts at random among its legal actions and gets
its observation before it acts, unless the line says otherwise.
"""

import argparse
import os
import platform
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import croupier_gym as gym


def measure(name: str, run: Callable[[], int], seconds: float) -> None:
    """Runs for some seconds after a first run, and prints a line."""
    run()
    done, clock, cpu = 0, time.perf_counter(), time.process_time()
    while (took := time.perf_counter() - clock) < seconds:
        done += run()
    used = time.process_time() - cpu
    print(f"{name:<58} {done / took:>12,.0f} {done / used:>12,.0f}", flush=True)


def native(game: str, seats: int | None, observes: bool) -> Callable[[], int]:
    match, draw = gym.Match(game, seats), Random(0).random
    out = np.zeros(match.observation_size, np.int32)
    episode = 0

    def run() -> int:
        nonlocal episode
        episode += 1
        match.reset(0, episode)
        count, step, observe = match.legal_count, match.step, match.observe_into
        if observes:
            while count:
                observe(out)
                count = step(int(draw() * count))
        else:
            while count:
                count = step(int(draw() * count))
        return match.steps

    return run


def aec(game: str) -> Callable[[], int]:
    env, draw = gym.aec_env(game), Random(0).random

    def run() -> int:
        env.reset()
        for _ in env.agent_iter():
            observation, _, ended, cut, _ = env.last()
            if ended or cut:
                env.step(None)
            else:
                env.step(int(draw() * observation["action_mask"].sum()))
        return env.match.steps

    return run


def parallel(game: str) -> Callable[[], int]:
    env, draw = gym.parallel_env(game), Random(0).random

    def run() -> int:
        observations, _ = env.reset()
        while env.agents:
            counts = {it: row["action_mask"].sum() for it, row in observations.items()}
            actions = {it: int(draw() * count) for it, count in counts.items()}
            observations, *_ = env.step(actions)
        return env.match.steps

    return run


def vector(game: str, n: int, **settings: Any) -> Callable[[], int]:
    env, random = gym.vector_env(game, n, **settings), np.random.default_rng(0)
    _, infos = env.reset()
    counts, steps = infos["legal_count"], 64

    def run() -> int:
        for _ in range(steps):
            env.step((random.random(n) * counts).astype(np.int64))
        return steps * n

    return run


def reading(folder: Path, game: str, features: bool) -> Callable[[], int]:
    path, random = folder / f"{game}.jsonl", Random(0)
    with path.open("w") as file:
        for seed in range(200):
            match = gym.Match(game, seed=seed)
            while count := match.legal_count:
                match.step(int(random.random() * count))
            file.write(match.record(header=seed == 0))
    return lambda: sum(len(it) for it in gym.decisions(path, features=features))


def open_spiel(game: str) -> Callable[[], int]:
    import pyspiel

    loaded, draw = pyspiel.load_game(game), Random(0).random

    def run() -> int:
        state, steps = loaded.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(draw() * len(outcomes))][0])
                continue
            state.observation_tensor()
            legal = state.legal_actions()
            state.apply_action(legal[int(draw() * len(legal))])
            steps += 1
        return steps

    return run


def rlcard(game: str) -> Callable[[], int]:
    import rlcard as library

    env, draw = library.make(game, config={"seed": 0}), Random(0).random

    def run() -> int:
        state, _ = env.reset()
        steps = 0
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(draw() * len(legal))])
            steps += 1
        return steps

    return run


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seconds", type=float, default=3, help="for each line")
    parser.add_argument("--vector", type=int, default=1024, help="matches of a vector")
    options = parser.parse_args()
    seconds, n = options.seconds, options.vector
    print(f"{platform.machine()}, {platform.python_implementation()} {platform.python_version()}")
    print(f"{'':<58} {'actions/s':>12} {'a CPU second':>12}")
    games = [name for name, *_ in gym.games()]
    for game in games:
        measure(f"{game}: Match, without observations", native(game, None, False), seconds)
        measure(f"{game}: Match", native(game, None, True), seconds)
        measure(f"{game}: vector_env of {n}", vector(game, n), seconds)
    threads = os.cpu_count() or 1
    run = vector("mountebank", n, threads=threads)
    measure(f"mountebank: vector_env of {n}, {threads} threads", run, seconds)
    features: dict[str, Any] = {"features": True, "actions_max": 128}
    measure("mountebank: vector_env of 64, features", vector("mountebank", 64, **features), seconds)
    measure("mountebank: aec_env", aec("mountebank"), seconds)
    measure("mountebank: parallel_env", parallel("mountebank"), seconds)
    with tempfile.TemporaryDirectory() as folder:
        for name, wanted in [("decisions, verified", False), ("decisions, features", True)]:
            run = reading(Path(folder), "mountebank", wanted)
            measure(f"mountebank: {name}", run, seconds)
    try:
        for game in ["leduc_poker", "gin_rummy", "liars_dice"]:
            measure(f"OpenSpiel {game}", open_spiel(game), seconds)
    except ImportError:
        print("OpenSpiel is not installed (pip install open_spiel)")
    try:
        for game in ["leduc-holdem", "gin-rummy", "uno"]:
            measure(f"RLCard {game}", rlcard(game), seconds)
    except ImportError:
        print("RLCard is not installed (pip install rlcard)")


if __name__ == "__main__":
    main()
