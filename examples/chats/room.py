"""The core of every host of matches in a chat: one room, and the match that is played there.

It knows no game and no chat. A `Chat` tells it who said what, and carries what it answers: to the
room what everyone may know, to a player what that player's seat may know. All words about a match
come from the service, which redacts them: what the room is told is read as a spectator.

The match is found again by the room, so a host may be killed and started again.
"""

import argparse
import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass, field

from croupier import Croupier, MatchHandle, Refusal, Stream, v1

NAME_MAX = 64
PICTURE_WIDTH = 600  # pixels
HELP = """{0}join sits you down, {0}leave lets you stand up, {0}bot LEVEL seats a bot,
{0}start begins, {0}table shows the table."""


@contextlib.asynccontextmanager
async def hosting(
    parser: argparse.ArgumentParser,
) -> AsyncIterator[tuple[Croupier, v1.Game, argparse.Namespace]]:
    """The service, the game, and the arguments of a host, which adds those of its chat."""
    parser.add_argument("game", help="what is played, such as mountebank")
    parser.add_argument("--language", default="en")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    address = os.environ.get("CROUPIER_ADDRESS", "http://127.0.0.1:7710")
    key = os.environ["CROUPIER_KEY"]
    async with Croupier(address, credentials=key, language=args.language) as croupier:
        yield croupier, await croupier.games.get(args.game), args


class Chat:
    """A room of a chat, and its way to each player. What it is given to send, it sends in order."""

    kind: str
    prefix: str
    room: "Room"
    # Whether it shows pictures.
    draws = False

    def tell(self, text: str) -> None:
        """Tells the room."""
        raise NotImplementedError

    def notice(self, player: str, text: str, picture: bytes | None = None) -> None:
        """Tells the room that it is the turn of a player, who is named, with a picture of the table
        as everyone may see it."""
        raise NotImplementedError

    def whisper(self, player: str, text: str) -> None:
        """Tells one player what nobody else may read."""
        raise NotImplementedError

    async def begun(self, player: str) -> None:
        """A match begins for a player, or goes on after a restart."""

    async def asked(self, player: str) -> None:
        """A player may decide something, also where nobody waits for it."""


class Mistake(Exception):
    """Something that cannot be done, and why, for whoever tried."""


# === Choosing, step by step ===


@dataclass
class Choice:
    """An action, or several of which one is chosen in a further step."""

    label: str
    short: str
    action: v1.Action | None = None
    below: list["Choice"] = field(default_factory=list)

    def actions(self) -> Iterator["Choice"]:
        if self.action:
            yield self
        for choice in self.below:
            yield from choice.actions()


@dataclass
class Offer:
    """What a seat could do at a position of its match."""

    id: str
    table: str
    text: str
    expected_prompt: int | None
    choices: list[Choice]

    def at(self, path: str) -> Choice:
        """The choice at a path such as `2.0`; that of the first step is empty."""
        choice = Choice("", "", below=self.choices)
        for step in filter(None, path.split(".")):
            if not step.isdecimal() or int(step) >= len(choice.below):
                raise Mistake("There is no such choice.")
            choice = choice.below[int(step)]
        return choice


def steps(legal: v1.ListLegalActionsResponse, most: int) -> list[Choice]:
    """The choices of a list, at most so many a step; those of a long list as the service groups
    them."""
    actions = [
        Choice(it.label + (" (for example)" if it.open_ended else ""), it.short_label, it.action)
        for it in legal.actions
    ]

    def group(it: v1.LegalActionGroup) -> Choice:
        below = [group(inner) for inner in it.groups] or [actions[index] for index in it.actions]
        return below[0] if len(below) == 1 else Choice(it.title, it.title, below=paged(below, most))

    return paged([group(it) for it in legal.groups] or actions, most)


def paged(choices: list[Choice], most: int) -> list[Choice]:
    if len(choices) <= most:
        return choices
    rest = paged(choices[most - 1 :], most)
    return [*choices[: most - 1], Choice("More", "More", below=rest)]


# === The room ===


class Room:
    """A room, and the match that is played there, if there is one.

    A player is whoever the chat says: an id that stays, of at most 128 bytes."""

    def __init__(
        self,
        croupier: Croupier,
        chat: Chat,
        game: v1.Game,
        place: str,
        options: Iterable[str] = (),
        step_max: int = 15,
    ) -> None:
        self.croupier, self.chat, self.game = croupier, chat, game
        self.options = dict(it.split("=", 1) for it in options)
        self.tags = {chat.kind: place}
        self.step_max = step_max
        # Who wants to play, by player, and the levels of bots.
        self.waiting: dict[str, str] = {}
        self.bots: list[str] = []
        self.match: MatchHandle | None = None
        self.seats: dict[str, int] = {}
        # The position at which each player was asked last; 0 while nothing is.
        self.asked: dict[str, int] = {}
        self.playing: asyncio.Task[None] | None = None
        # Commands are carried out one after another: two cannot begin a match each.
        self.lock = asyncio.Lock()

    def close(self) -> None:
        if self.playing:
            self.playing.cancel()

    # === What is said to the room ===

    async def command(self, player: str, name: str, word: str, rest: str = "") -> str:
        """Carries out what somebody asks in the room. What the room is answered."""
        try:
            async with self.lock:
                return await self._command(player, name, word, rest)
        except (Mistake, Refusal) as error:
            return f"{name}: {error}"

    async def _command(self, player: str, name: str, word: str, rest: str) -> str:
        if word == "table" and self.match:
            return (await self.match.view()).text
        if word not in ("join", "leave", "bot", "start", "table"):
            return HELP.format(self.chat.prefix)
        if self.match:
            raise Mistake("a match is being played.")
        if word in ("join", "bot") and len(self.waiting) + len(self.bots) >= self.game.seats_max:
            raise Mistake("all seats are taken.")
        if word == "join":
            self.waiting.setdefault(player, self._own_name(name))
        elif word == "leave":
            self.waiting.pop(player, None)
        elif word == "bot":
            self.bots.append(rest or "heuristic")
        elif word == "start":
            await self._start()
            return ""
        return self.gathered()

    def _own_name(self, name: str) -> str:
        """Two people may call themselves alike; a match refuses two players of one name."""
        names = {it.casefold() for it in (*self.waiting, *self.waiting.values())}
        own = name = " ".join(name.split())[:NAME_MAX] or "player"
        count = 1
        while own.casefold() in names:
            count += 1
            own = f"{name[: NAME_MAX - 4]} {count}"
        return own

    def gathered(self) -> str:
        """Who is there, and how to go on."""
        names = ", ".join([*self.waiting.values(), *(f"bot:{it}" for it in self.bots)]) or "nobody"
        least, most = self.game.seats_min, self.game.seats_max
        prefix = self.chat.prefix
        title = f"{self.game.title} ({least} to {most} players)"
        return f"{title}: {names}. {prefix}join or {prefix}start"

    async def _start(self) -> None:
        none = [""] * len(self.bots)
        created = await self.croupier.matches.create(
            self.game.name,
            len(self.waiting) + len(self.bots),
            [*self.waiting, *none],
            display_names=[*self.waiting.values(), *none],
            bots=[""] * len(self.waiting) + self.bots,
            options=self.options,
            tags=self.tags,
        )
        self.waiting, self.bots = {}, []
        self._follow(created, after=0)

    # === A match ===

    async def take_up(self) -> None:
        """Goes on with the match that an earlier run of the host began."""
        running = v1.MATCH_STATE_RUNNING
        found = self.croupier.matches.list(game=self.game.name, state=running, tags=self.tags)
        async for match in found:
            self.chat.tell(f"We go on. {match.summary}")
            self._follow(match, after=match.position)
            return
        self.chat.tell(self.gathered())

    def _follow(self, match: v1.Match, after: int) -> None:
        self.match = self.croupier.match(match.name, viewer="spectator")
        self.seats = {it.player: it.seat for it in match.seats if it.player}
        self.asked = {}
        self.playing = asyncio.create_task(self._play(self.match, after))
        self.playing.add_done_callback(self._played)

    async def _play(self, match: MatchHandle, after: int) -> None:
        """Tells what happens, until the match is over."""
        everyone = match.watch(after=after)
        own = {player: match.at(seat).watch(after=after) for player, seat in self.seats.items()}
        try:
            for player, seat in self.seats.items():
                await self.chat.begun(player)
                if after:
                    await self._ask(player, (await match.at(seat).view()).prompts)
            # All streams have the same entries, each as its viewer may know it.
            async for entry in everyone:
                if entry.verb == "replace":
                    await self._leave_out(match, own)
                self.chat.tell(entry.text)
                for player, stream in own.items():
                    seen = await anext(stream)
                    if seen.text != entry.text:
                        self.chat.whisper(player, seen.text)
                    await self._ask(player, seen.prompts)
                await self._announce(match, entry)
        finally:
            for stream in (everyone, *own.values()):
                stream.close()
        self.match = None
        self.chat.tell((await match.get()).summary)
        self.chat.tell(self.gathered())

    async def _leave_out(self, match: MatchHandle, own: dict[str, Stream[v1.Entry]]) -> None:
        """Tells nothing more to players whose seat the platform gave to others."""
        now = {it.player: it.seat for it in (await match.get()).seats}
        for player in [it for it, seat in self.seats.items() if now.get(it) != seat]:
            own.pop(player).close()
            del self.seats[player]

    def _played(self, task: asyncio.Task[None]) -> None:
        self.match = None
        if not task.cancelled() and task.exception():
            self.chat.tell(f"The match cannot be told any more: {task.exception()}")

    async def _announce(self, match: MatchHandle, entry: v1.Entry) -> None:
        """Says whose turn it became by an entry. Who acted is here, and needs no notice."""
        acted = entry.seat if entry.HasField("seat") else None
        asked = {
            it.seat: it.text
            for it in entry.prompts
            if it.asked_position == entry.position and not it.optional and it.seat != acted
        }
        turns = [(it, asked[seat]) for it, seat in self.seats.items() if seat in asked]
        picture = await self._drawn(match) if turns else None
        for player, text in turns:
            self.chat.notice(player, text, picture)
            picture = None

    async def _drawn(self, match: MatchHandle) -> bytes | None:
        """A picture, as the viewer of the handle may see it. What is told in words needs none."""
        if not self.chat.draws:
            return None
        try:
            return await match.image(width=PICTURE_WIDTH)
        except Refusal as refusal:
            print(f"no picture was drawn: {refusal}", flush=True)
            return None

    async def _ask(self, player: str, prompts: Iterable[v1.Prompt]) -> None:
        """Asks a player each time that the match does."""
        now = [it.asked_position for it in asked(self.own(player), prompts)]
        before, self.asked[player] = self.asked.get(player), max(now, default=0)
        if now and before != self.asked[player]:
            await self.chat.asked(player)

    # === What a player does ===

    def own(self, player: str) -> MatchHandle:
        """The match for the seat of a player, and of nobody else."""
        if self.match is None or player not in self.seats:
            raise Mistake(f"You do not play. Say {self.chat.prefix}join in the room.")
        return self.match.at(self.seats[player])

    async def table(self, player: str) -> str:
        """The table as the player's seat sees it."""
        return (await self.own(player).view()).text

    async def picture(self, player: str) -> bytes | None:
        """The same as a picture, if the chat shows pictures."""
        return await self._drawn(self.own(player))

    async def offer(self, player: str) -> Offer:
        """What the player may do now."""
        own = self.own(player)
        table, legal = await own.view(), await own.legal_actions()
        prompts = asked(own, table.prompts)
        return Offer(
            # It names the match and the moment, so that no list is taken for another.
            f"{own.name[8:16]}-{legal.position}",
            table.text,
            prompts[-1].text if prompts else "",
            prompts[-1].opened_position if prompts else None,
            steps(legal, self.step_max),
        )

    async def act(self, player: str, offer: Offer, action: v1.Action) -> str:
        """Carries out an action that was offered, if the seat is still asked the same. What it did,
        as the seat knows it."""
        own = self.own(player)
        return (await own.submit(action, expected_prompt=offer.expected_prompt)).text


def asked(match: MatchHandle, prompts: Iterable[v1.Prompt]) -> list[v1.Prompt]:
    """The prompts that the seat of a match can answer."""
    return [it for it in prompts if it.seat == match.seat and it.asked_position]
