"""Hosts of chats in which everything is typed: the room's commands, and choices by number."""

import re
from dataclasses import dataclass

from croupier import Refusal
from room import Chat, Choice, Mistake, Offer

HELP = """NUMBER does it. actions lists what you can do, actions WORD what is about something;
table shows the table as you see it; say TEXT is recorded; undo takes back; resign resigns."""


@dataclass
class Shown:
    """The list that a player's numbers refer to."""

    offer: Offer
    choices: list[Choice]


class TextChat(Chat):
    """What chats of typed words have in common. A chat of this kind implements `tell`, `notice`
    and `whisper`, and `show` if it draws, and gives what it reads to `heard` and to `private`."""

    prefix = "!"

    def __init__(self) -> None:
        self.shown: dict[str, Shown] = {}

    async def heard(self, player: str, name: str, text: str) -> None:
        """Somebody said something in the room."""
        if text.startswith(self.prefix):
            word, _, rest = text[len(self.prefix) :].strip().partition(" ")
            answer = await self.room.command(player, name, word.lower(), rest.strip())
            if answer:
                self.tell(answer)

    async def private(self, player: str, text: str) -> None:
        """A player said something to the host alone."""
        try:
            await self._private(player, text.strip())
        except (Mistake, Refusal) as error:
            self.whisper(player, str(error))

    async def _private(self, player: str, text: str) -> None:
        own = self.room.own(player)
        word, _, rest = text.partition(" ")
        word = word.lower()
        if re.fullmatch("[0-9]{1,4}", word):
            await self._choose(player, int(word))
        elif word == "actions":
            await self._offer(player, rest.strip().lower())
        elif word == "table":
            self.whisper(player, await self.room.table(player))
        elif word == "say":
            await own.say(rest)
        elif word == "undo":
            await own.take_back()
        elif word == "resign":
            await own.resign()
        else:
            self.whisper(player, HELP)

    async def begun(self, player: str) -> None:
        self.shown.pop(player, None)
        self.whisper(player, await self.room.table(player))

    def show(self, player: str, picture: bytes) -> None:
        """Shows one player a picture that nobody else may see."""
        raise NotImplementedError

    async def asked(self, player: str) -> None:
        if picture := await self.room.picture(player):
            self.show(player, picture)
        await self._offer(player)

    async def _offer(self, player: str, about: str = "") -> None:
        offer = await self.room.offer(player)
        if not about:
            self._show(player, offer, offer.choices, offer.text)
            return
        found = [it for it in offer.at("").actions() if about in it.label.lower()]
        left = len(found) - self.room.step_max
        more = f"and {left} more: name something else" if left > 0 else ""
        self._show(player, offer, found[: self.room.step_max], "" if found else "nothing", more)

    def _show(
        self, player: str, offer: Offer, choices: list[Choice], above: str, below: str = ""
    ) -> None:
        self.shown[player] = Shown(offer, choices)
        lines = [f"{n}. {it.label}{'' if it.action else ' …'}" for n, it in enumerate(choices, 1)]
        self.whisper(player, "\n".join(filter(None, [above, *lines, below])))

    async def _choose(self, player: str, number: int) -> None:
        shown = self.shown.get(player)
        if number == 0:
            await self._offer(player)
        elif shown is None or number > len(shown.choices):
            raise Mistake("There is no such action now.")
        elif action := shown.choices[number - 1].action:
            try:
                await self.room.act(player, shown.offer, action)
            except Refusal as refusal:
                # Others have acted since the actions were listed.
                self.whisper(player, str(refusal))
                await self._offer(player)
        else:
            below = shown.choices[number - 1].below
            self._show(player, shown.offer, below, "", "0. Back")
