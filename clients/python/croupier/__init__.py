"""A client of Croupier: it plays, watches and verifies matches.

`Croupier` is for asyncio, `croupier.blocking.Croupier` for code without it. `croupier.v1` has all
messages of the contract, `croupier.webhooks` reads messages that the service sends to an endpoint,
and `croupier.verify` verifies records.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from croupier.aio import (
        Change,
        Consumer,
        Croupier,
        Keeper,
        Live,
        MatchHandle,
        Pages,
        PlayerHandle,
        Stream,
        SubscriptionHandle,
    )
    from croupier.errors import Refusal
    from croupier.folding import FoldError, empty_table, fold

__all__ = ["Change", "Consumer", "Croupier", "FoldError", "Keeper", "Live"]
__all__ += ["MatchHandle", "Pages", "PlayerHandle", "Refusal", "Stream", "SubscriptionHandle"]
__all__ += ["empty_table", "fold"]

_MODULES = {"Refusal": "croupier.errors"}
_MODULES |= dict.fromkeys(["FoldError", "empty_table", "fold"], "croupier.folding")


def __getattr__(name: str) -> object:
    # Imported on first use: the verifier needs neither gRPC nor the messages.
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_MODULES.get(name, "croupier.aio")), name)
