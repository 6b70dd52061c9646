"""`python -m croupier`: games, matches, and a seat at a terminal."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from croupier import v1
from croupier.blocking import Croupier, Live, MatchHandle
from croupier.errors import Refusal

HELP = """a number acts; say TEXT talks; table shows the table; wait waits for others;
back takes the last action back; resign resigns; quit leaves, and the match waits"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["verify"]:
        from croupier import command

        return command.main(given[1:])
    args = _options().parse_args(given)
    try:
        with Croupier(args.address, credentials=args.key, language=args.language) as client:
            args.do(client, args)
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 1
    except (KeyboardInterrupt, EOFError, BrokenPipeError):
        return 130
    return 0


def _options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m croupier", description="A client of Croupier.")
    parser.add_argument(
        "--address",
        default=os.environ.get("CROUPIER_ADDRESS", "http://127.0.0.1:7710"),
        help="the service's address; CROUPIER_ADDRESS",
    )
    parser.add_argument(
        "--key",
        default=os.environ.get("CROUPIER_KEY"),
        help="an API key or a token; CROUPIER_KEY",
    )
    parser.add_argument("--language", default="en", help="the language of texts, such as de")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    games = commands.add_parser("games", help="list the games")
    games.set_defaults(do=_games)

    matches = commands.add_parser("matches", help="list matches, newest first")
    matches.add_argument("--game", default="", help="only those of a game")
    matches.add_argument("--player", default="", help="only those of a player")
    matches.add_argument("--limit", type=int, default=20, help="at most so many")
    matches.set_defaults(do=_matches)

    watch = commands.add_parser("watch", help="tell what happens in a match, from its start")
    watch.add_argument("match", help="its name")
    watch.add_argument("--viewer", default=None, help="as seats/0, spectator or house")
    watch.set_defaults(do=_watch)

    play = commands.add_parser("play", help="play a seat at this terminal")
    play.add_argument("what", help="a match; or a game, for a new match against bots")
    play.add_argument("--seat", type=int, default=None, help="the seat; 0 in a new match")
    play.add_argument("--seats", type=int, default=0, help="how many seats a new match has")
    play.add_argument("--bot", default="heuristic", help="the level of the bots")
    play.add_argument("--player", default="you", help="your id in a new match")
    play.set_defaults(do=_play)

    commands.add_parser("verify", help="verify records of matches; see verify --help")
    return parser


def _games(client: Croupier, _: argparse.Namespace) -> None:
    for game in client.games.list():
        seats = f"{game.seats_min} to {game.seats_max} seats"
        print(f"{game.name}: {game.title}, {seats}. {game.description}")


def _matches(client: Croupier, args: argparse.Namespace) -> None:
    for n, match in enumerate(client.matches.list(game=args.game, player=args.player)):
        if n >= args.limit:
            return
        print(f"{match.name} {match.game}: {match.summary}")


def _watch(client: Croupier, args: argparse.Namespace) -> None:
    for entry in client.match(args.match, viewer=args.viewer).watch():
        print(f"{entry.position}. {entry.text}", flush=True)


def _play(client: Croupier, args: argparse.Namespace) -> None:
    games = {game.name.partition("/")[2]: game for game in client.games.list()}
    game = games.get(args.what.removeprefix("games/"))
    if game:
        seats = args.seats or max(2, game.seats_min)
        bots = [""] + [args.bot] * (seats - 1)
        created = client.matches.create(game.name, seats, [args.player], bots=bots)
        print(created.name)
        match = client.match(created.name, seat=0)
    else:
        match = client.match(args.what, seat=args.seat)
    with match.live() as live:
        print(match.view().text)
        while not live.ended:
            if not (live.prompt and _act(match, live)):
                print(next(live).entry.text)
        print(match.get().summary)


def _act(match: MatchHandle, live: Live) -> bool:
    """Lets the person at the terminal act. Returns False to wait for others."""
    legal = match.legal_actions()
    if legal.position != live.position or not legal.actions:
        return False
    for prompt in live.prompts:
        if prompt.seat == match.seat:
            print(prompt.text)
    for n, action in enumerate(legal.actions, 1):
        print(f"  {n}. {action.label}{' …' if action.open_ended else ''}")
    while True:
        print("> ", end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        word, _, rest = line.strip().partition(" ")
        if word == "wait":
            return False
        if word == "quit":
            raise EOFError
        try:
            if word == "table":
                print(match.view().text)
                continue
            entry = _entry(match, legal, word, rest)
        except Refusal as refusal:
            print(refusal)
            continue
        if entry is None:
            print(HELP)
            continue
        while live.position < entry.position:
            print(next(live).entry.text)
        return True


def _entry(
    match: MatchHandle, legal: v1.ListLegalActionsResponse, word: str, rest: str
) -> v1.Entry | None:
    if word.isdecimal() and 1 <= int(word) <= len(legal.actions):
        return match.submit(legal.actions[int(word) - 1].action)
    if word == "say" and rest:
        return match.say(rest)
    if word == "back":
        return match.take_back()
    if word == "resign":
        return match.resign()
    return None


if __name__ == "__main__":
    sys.exit(main())
