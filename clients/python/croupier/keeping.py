"""What a `Keeper` keeps of a service, where, and what it complains of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from croupier.outcome import Finding

__all__ = ["Complaint", "KeptLog", "KeptMatch", "Memory", "Store"]


class Store(Protocol):
    """Where a `Keeper` stores texts by name: that of each match, and `log`. Each is JSON. With
    asyncio, both may be coroutines."""

    def get(self, name: str) -> Any:
        """The text that was put under the name last; None if none was."""

    def put(self, name: str, text: str) -> Any:
        """Stores a text under the name."""


class Memory:
    """A store that lasts as long as the program."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        return self._texts.get(name)

    def put(self, name: str, text: str) -> None:
        self._texts[name] = text


@dataclass(frozen=True)
class KeptLog:
    """What was kept of the log of a service."""

    log_key: str = ""  # its verifier key; empty before the service named one
    checkpoint: str = ""  # its newest checkpoint, a signed note; empty before the first


@dataclass(frozen=True)
class KeptMatch:
    """What was kept of a match."""

    receipt: str = ""  # the last, as it was signed; empty before the first
    opened_proof: str = ""  # that the log has its opening, a file for `croupier verify --log`
    closed_proof: str = ""  # that the log has its end
    came_first: bool = False
    """Whether the proof of the opening was there when `Keeper.await_opening` returned, which is
    called before contributing to the chance of the match."""


@dataclass(frozen=True)
class Complaint:
    """That the service contradicts itself, or a match."""

    finding: Finding
    evidence: Sequence[str]  # what it signed and cannot have signed honestly, for anyone to verify
