"""A bot of one's own: it plays for a player of the platform, in all matches the player sits at.

    python examples/bot.py robbie --cursor robbie.cursor

It knows no game. Its rule: do what was done least so far, and toss a coin among equals.

It may be killed at any time. What it did is bound to the position it decided at, so that it acts
once; and the cursor is kept only after everything before it was answered.
"""

import argparse
import asyncio
import collections
import os
import pathlib
import random

from croupier import Croupier, Refusal, v1


async def main() -> None:
    parser = argparse.ArgumentParser(description="A bot that plays for a player.")
    parser.add_argument("player", help="the player's id")
    parser.add_argument("--cursor", type=pathlib.Path, help="a file that keeps how far it is")
    args = parser.parse_args()
    address = os.environ.get("CROUPIER_ADDRESS", "http://127.0.0.1:7710")
    async with Croupier(address, credentials=os.environ["CROUPIER_KEY"]) as croupier:
        kept = args.cursor.read_text() if args.cursor and args.cursor.exists() else ""
        async with croupier.player(args.player).watch(cursor=kept) as stream:
            async for message in stream:
                # Of each match, only its newest entry matters.
                newest = {it.entry.name.rpartition("/entries/")[0]: it for it in message.entries}
                for match, streamed in newest.items():
                    await answer(croupier, match, streamed)
                if args.cursor:
                    keep(args.cursor, message.cursor)


done: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)


async def answer(croupier: Croupier, match: str, streamed: v1.StreamedEntry) -> None:
    """Acts, if an entry asks the player."""
    seat = int(streamed.viewer.removeprefix("seats/"))
    prompts = streamed.entry.prompts
    top = max((it.layer for it in prompts), default=0)
    if not any(it.seat == seat and it.layer == top and not it.optional for it in prompts):
        return
    own = croupier.match(match, seat=seat)
    try:
        legal = await own.legal_actions()
        if not legal.actions or legal.position != streamed.entry.position:
            return  # A later entry tells what is asked now.
        rarest = min(done[match][it.verb] for it in legal.actions)
        choices = [it for it in legal.actions if done[match][it.verb] == rarest]
        chosen = random.choice(choices)
        await own.submit(
            chosen.action, expected_position=legal.position, request_id=f"bot-{legal.position}"
        )
        done[match][chosen.verb] += 1
    except Refusal as refusal:
        # The match moved on, or the bot was killed after it had chosen something else here.
        if refusal.reason not in ("POSITION_MOVED", "REQUEST_ID_REUSED", "MATCH_ENDED", "MATCH_PAUSED"):
            raise


def keep(path: pathlib.Path, cursor: str) -> None:
    """Writes a file as a whole or not at all."""
    new = path.with_name(path.name + ".new")
    new.write_text(cursor)
    new.replace(path)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
