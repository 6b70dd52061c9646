"""A host of matches in an IRC channel.

    python examples/irc_host.py among-thieves --server irc.example.com:6667 --channel '#heist'

In the channel it tells what everyone may know; to each player it sends privately what only that
player may know, and what there is to decide, as numbered actions. It knows no game: all words come
from the service. A nick is a player, so it is as safe as the server's registration of nicks.

The match is found again by the channel, so the host may be killed and started again.
"""

import argparse
import asyncio
import os
import re
import textwrap
from collections.abc import AsyncIterator, Sequence

from croupier import Croupier, MatchHandle, Refusal, v1

CHANNEL_HELP = """!join sits you down, !leave lets you stand up, !start begins, !bot LEVEL seats a bot,
!table shows the table. The rest is said to me privately: /msg {nick} help"""
PRIVATE_HELP = """NUMBER does it. actions lists what you can do, actions WORD what is about something;
table shows the table as you see it; say TEXT is recorded; undo takes back; resign resigns."""
LISTED = 15
LINE = 380  # what surely fits into a line of 512 bytes with its prefix


async def main() -> None:
    parser = argparse.ArgumentParser(description="A host of matches in an IRC channel.")
    parser.add_argument("game", help="what is played, such as among-thieves")
    parser.add_argument("--server", required=True, help="HOST:PORT of the IRC server")
    parser.add_argument("--channel", required=True)
    parser.add_argument("--nick", default="croupier")
    parser.add_argument("--language", default="en")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--pace", type=float, default=0.5, help="seconds between two lines")
    args = parser.parse_args()
    address = os.environ.get("CROUPIER_ADDRESS", "http://127.0.0.1:7710")
    key = os.environ["CROUPIER_KEY"]
    async with Croupier(address, credentials=key, language=args.language) as croupier:
        game = await croupier.games.get(args.game)
        options = dict(it.split("=", 1) for it in args.option)
        failures = 0
        while True:
            try:
                irc = await Irc.connect(args.server, args.nick, args.channel, args.pace)
                failures = 0
                await Host(croupier, irc, game, options).run()
            except OSError as error:
                print(f"the IRC server is away: {error}", flush=True)
            failures += 1
            await asyncio.sleep(min(60, 2**failures))


# === IRC ===


class Irc:
    """A connection to an IRC server, in one channel."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, channel: str, pace: float
    ) -> None:
        self.reader, self.writer, self.channel, self.pace = reader, writer, channel, pace
        self.nick = ""
        self.lines: asyncio.Queue[str] = asyncio.Queue()

    @classmethod
    async def connect(cls, server: str, nick: str, channel: str, pace: float) -> "Irc":
        host, _, port = server.rpartition(":")
        irc = cls(*await asyncio.open_connection(host, int(port)), channel, pace)
        irc.send(f"NICK {nick}")
        irc.send(f"USER {nick} 0 * :host of matches")
        irc.nick = nick
        return irc

    def send(self, line: str) -> None:
        self.writer.write(line.encode() + b"\r\n")

    def say(self, target: str, text: str) -> None:
        """Queues a text, which may have lines, and lines that are too long."""
        for line in text.splitlines():
            plain = re.sub(r"[\x00-\x1f\x7f]", " ", line).rstrip()
            # An empty line would be no message; one in characters of several bytes must be shorter.
            width = LINE * len(plain) // max(1, len(plain.encode()))
            for part in textwrap.wrap(plain, width, drop_whitespace=False) if plain else []:
                self.lines.put_nowait(f"PRIVMSG {target} :{part}")

    async def speak(self) -> None:
        """Sends what is queued, not faster than servers allow."""
        while True:
            self.send(await self.lines.get())
            await self.writer.drain()
            await asyncio.sleep(self.pace)

    async def messages(self) -> AsyncIterator[tuple[str, str, str]]:
        """Nick, target and text of each message; of a change of nick, the target is empty."""
        while line := await self.reader.readline():
            text = line.decode(errors="replace").rstrip("\r\n")
            found = re.fullmatch(r"(?::([^ !]+)\S* )?(\w+) ?(.*)", text)
            if not found:
                continue
            nick, command, rest = found.groups()
            target, _, said = rest.partition(" :")
            if command == "PING":
                self.send(f"PONG {rest}")
            elif command == "001":
                self.send(f"JOIN {self.channel}")
            elif command == "433":
                self.nick += "_"
                self.send(f"NICK {self.nick}")
            elif command in ("NICK", "PRIVMSG"):
                # A change of nick has its new nick with or without a colon.
                new = rest.removeprefix(":")
                yield (nick or "", "", new) if command == "NICK" else (nick or "", target, said)
            elif command == "366":
                yield "", self.channel, ""  # The channel was entered.
        raise ConnectionError("the connection has ended")

    def close(self) -> None:
        self.writer.close()


# === The host ===


class Host:
    """One channel, and the match that is played there, if there is one."""

    def __init__(
        self, croupier: Croupier, irc: Irc, game: v1.Game, options: dict[str, str]
    ) -> None:
        self.croupier, self.irc, self.game, self.options = croupier, irc, game, options
        # Who wants to play, by player id: the nick, or `bot:LEVEL`.
        self.waiting: dict[str, str] = {}
        # Where players are told, by player id: their nick now.
        self.nicks: dict[str, str] = {}
        self.match: MatchHandle | None = None
        self.seats: dict[str, int] = {}
        # What each seat was offered last.
        self.offered: dict[int, list[v1.LegalAction]] = {}
        self.prompts: dict[int, v1.Prompt] = {}
        self.playing: asyncio.Task[None] | None = None

    async def run(self) -> None:
        speaking = asyncio.create_task(self.irc.speak())
        try:
            async for nick, target, text in self.irc.messages():
                try:
                    await self.receive(nick, target, text)
                except Refusal as refusal:
                    self.irc.say(self.irc.channel if target == self.irc.channel else nick, str(refusal))
        finally:
            speaking.cancel()
            if self.playing:
                self.playing.cancel()
            self.irc.close()

    async def receive(self, nick: str, target: str, text: str) -> None:
        if not nick:
            await self.take_up()
        elif not target:
            self.rename(nick, text)
        elif target.lower() != self.irc.channel.lower():
            await self.private(nick, text.strip())
        elif text.startswith("!"):
            word, _, rest = text[1:].strip().partition(" ")
            await self.command(nick, word.lower(), rest.strip())

    def rename(self, old: str, new: str) -> None:
        for player, nick in self.nicks.items():
            if nick == old:
                self.nicks[player] = new

    def player_of(self, nick: str) -> str:
        """A player is who had the nick when the seat was taken."""
        known = [player for player, current in self.nicks.items() if current == nick]
        return known[0] if known else nick.lower()

    # === In the channel ===

    async def command(self, nick: str, word: str, rest: str) -> None:
        if word == "help":
            self.tell(CHANNEL_HELP.format(nick=self.irc.nick))
        elif word == "table" and self.match:
            self.tell((await self.match.view()).text)
        elif self.match:
            self.tell(f"{nick}: a match is being played.")
        elif word == "join":
            player = self.player_of(nick)
            self.waiting[player], self.nicks[player] = nick, nick
            self.tell_waiting()
        elif word == "bot":
            level = rest or "heuristic"
            self.waiting[f"bot {len(self.waiting)}"] = f"bot:{level}"
            self.tell_waiting()
        elif word == "leave":
            self.waiting.pop(self.player_of(nick), None)
            self.tell_waiting()
        elif word == "start":
            await self.start()

    def tell_waiting(self) -> None:
        names = ", ".join(self.waiting.values()) or "nobody"
        least, most = self.game.seats_min, self.game.seats_max
        self.tell(f"{self.game.title} ({least} to {most} players): {names}. !join or !start")

    async def start(self) -> None:
        taken = list(self.waiting.items())
        is_bot = [name.startswith("bot:") for _, name in taken]
        created = await self.croupier.matches.create(
            self.game.name,
            len(taken),
            ["" if bot else player for bot, (player, _) in zip(is_bot, taken)],
            display_names=["" if bot else nick for bot, (_, nick) in zip(is_bot, taken)],
            bots=[name.removeprefix("bot:") if bot else "" for bot, (_, name) in zip(is_bot, taken)],
            options=self.options,
            tags={"irc": self.irc.channel},
        )
        self.waiting.clear()
        self.follow(created, after=0)

    async def take_up(self) -> None:
        """Goes on with the match that an earlier run of the host began."""
        running = v1.MATCH_STATE_RUNNING
        tags = {"irc": self.irc.channel}
        async for match in self.croupier.matches.list(game=self.game.name, state=running, tags=tags):
            self.tell(f"We go on. {match.summary}")
            self.follow(match, after=match.position)
            return
        self.tell_waiting()

    def tell(self, text: str) -> None:
        self.irc.say(self.irc.channel, text)

    # === A match ===

    def follow(self, match: v1.Match, after: int) -> None:
        self.match = self.croupier.match(match.name)
        self.seats = {it.player: it.seat for it in match.seats if it.player}
        for seat in match.seats:
            if seat.player:
                self.nicks.setdefault(seat.player, seat.display_name or seat.player)
        self.offered, self.prompts = {}, {}
        self.playing = asyncio.create_task(self.play(self.match, after))
        self.playing.add_done_callback(self.played)

    async def play(self, match: MatchHandle, after: int) -> None:
        """Tells what happens, until the match is over."""
        everyone = match.watch(after=after)
        own = {player: match.at(seat).watch(after=after) for player, seat in self.seats.items()}
        for player, seat in self.seats.items():
            self.irc.say(self.nicks[player], (await match.at(seat).view()).text)
        if after:
            await self.ask((await match.view()).prompts)
        try:
            # All streams have the same entries, each as its viewer may know it.
            async for entry in everyone:
                self.tell(entry.text)
                for player, stream in own.items():
                    text = (await anext(stream)).text
                    if text != entry.text:
                        self.irc.say(self.nicks[player], text)
                await self.ask(entry.prompts)
        finally:
            for stream in (everyone, *own.values()):
                stream.close()
        self.tell((await match.get()).summary)
        self.tell_waiting()

    def played(self, task: asyncio.Task[None]) -> None:
        self.match = None
        if not task.cancelled() and task.exception():
            self.tell(f"The match cannot be told any more: {task.exception()}")

    async def ask(self, prompts: Sequence[v1.Prompt]) -> None:
        """Offers actions to whoever may decide, each time that the match asks."""
        for player, seat in self.seats.items():
            before = self.prompts.get(seat)
            open_now = [it for it in prompts if it.seat == seat and it.asked_position]
            if not open_now:
                self.prompts.pop(seat, None)
                self.offered.pop(seat, None)
            elif before is None or before.asked_position != open_now[-1].asked_position:
                self.prompts[seat] = open_now[-1]
                self.irc.say(self.nicks[player], open_now[-1].text)
                await self.offer(player, seat)

    async def offer(self, player: str, seat: int, about: str = "") -> None:
        assert self.match
        actions = list((await self.match.at(seat).legal_actions()).actions)
        self.offered[seat] = actions
        if not actions:
            return
        lines = [
            f"{n}. {action.label}{' (for example)' if action.open_ended else ''}"
            for n, action in enumerate(actions, 1)
            if about.lower() in action.label.lower()
        ]
        if len(lines) > LISTED:
            left = len(lines) - LISTED
            lines[LISTED:] = [f"and {left} more: actions WORD lists those about something"]
        self.irc.say(self.nicks[player], "\n".join(lines) or "nothing")

    # === Between a player and the host ===

    async def private(self, nick: str, text: str) -> None:
        player = self.player_of(nick)
        seat = self.seats.get(player)
        if self.match is None or seat is None:
            self.irc.say(nick, f"You do not play. Say !join in {self.irc.channel}.")
            return
        own = self.match.at(seat)
        word, _, rest = text.partition(" ")
        word = word.lower()
        if word.isdecimal():
            offered = self.offered.get(seat, [])
            if not 1 <= int(word) <= len(offered):
                self.irc.say(nick, "There is no such action now.")
                return
            action = offered[int(word) - 1].action
            asked = self.prompts.get(seat)
            try:
                await own.submit(action, expected_prompt=asked.opened_position if asked else None)
            except Refusal as refusal:
                # Others have acted since the actions were listed.
                self.irc.say(nick, str(refusal))
                await self.offer(player, seat)
                return
        elif word == "actions":
            await self.offer(player, seat, rest.strip())
        elif word == "table":
            self.irc.say(nick, (await own.view()).text)
        elif word == "say":
            await own.say(rest)
        elif word == "undo":
            await own.take_back()
        elif word == "resign":
            await own.resign()
        else:
            self.irc.say(nick, PRIVATE_HELP)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except KeyboardInterrupt:
        pass
