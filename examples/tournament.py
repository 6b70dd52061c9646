"""A round robin: everyone plays everyone else, from each seat.

    python examples/tournament.py spring --game mountebank bot:random bot:heuristic ann bob

Entrants are players of the platform, who play when they like, and `bot:LEVEL`. It may be killed and
run again with the same words: the matches follow from the tournament's name, so that none is
created twice, and the results are read from the service.
"""

import argparse
import asyncio
import hashlib
import itertools
import os

from croupier import Croupier, v1


async def main() -> None:
    parser = argparse.ArgumentParser(description="A round robin.")
    parser.add_argument("name", help="the tournament's name")
    parser.add_argument("entrants", nargs="+", help="players, and bot:LEVEL")
    parser.add_argument("--game", required=True)
    parser.add_argument("--seats", type=int, default=2, help="how many play a match")
    parser.add_argument("--rounds", type=int, default=1, help="how often each match is played")
    parser.add_argument("--at-once", type=int, default=8, help="how many matches are played at once")
    args = parser.parse_args()
    if len(set(args.entrants)) < max(2, args.seats, len(args.entrants)):
        parser.error("entrants must differ, and be as many as there are seats")
    address = os.environ.get("CROUPIER_ADDRESS", "http://127.0.0.1:7710")
    async with Croupier(address, credentials=os.environ["CROUPIER_KEY"]) as croupier:
        room = asyncio.Semaphore(args.at_once)
        pairings = itertools.permutations(args.entrants, args.seats)
        matches = [
            play(croupier, room, args, seated, number)
            for seated in pairings
            for number in range(args.rounds)
        ]
        points = dict.fromkeys(args.entrants, 0.0)
        for finished in asyncio.as_completed(matches):
            seated, ended = await finished
            for seat in ended.winners:
                points[seated[seat]] += 1 / len(ended.winners)
            print(f"{ended.name}: {' - '.join(seated)}: {score(ended)}", flush=True)
    print(f"\n{args.name}, {len(matches)} matches")
    ranked = sorted(points.items(), key=lambda it: -it[1])
    for place, (entrant, won) in enumerate(ranked, 1):
        print(f"{place}. {entrant}: {won:g}")


async def play(
    croupier: Croupier,
    room: asyncio.Semaphore,
    args: argparse.Namespace,
    seated: tuple[str, ...],
    number: int,
) -> tuple[tuple[str, ...], v1.Match]:
    """Sees to it that a match was created, and waits for its end."""
    spelled = "\n".join([args.name, args.game, *seated, str(number)])
    players = ["" if it.startswith("bot:") else it for it in seated]
    bots = [it.removeprefix("bot:") if it.startswith("bot:") else "" for it in seated]
    async with room:
        created = await croupier.matches.create(
            args.game,
            len(seated),
            players,
            bots=bots,
            tags={"tournament": args.name},
            request_id=hashlib.sha256(spelled.encode()).hexdigest(),
        )
        match = croupier.match(created.name)
        async with match.watch(after=created.position) as entries:
            async for _ in entries:
                pass
        return seated, await match.get()


def score(ended: v1.Match) -> str:
    points = ":".join(map(str, ended.scores))
    return f"abandoned at {points}" if ended.abandoned else points


if __name__ == "__main__":
    asyncio.run(main())
