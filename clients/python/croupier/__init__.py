"""A client of Croupier: it plays, watches and verifies matches.

`croupier.Croupier` is for asyncio, `croupier.blocking.Croupier` for code without it. `croupier.v1`
has all messages of the contract, and `croupier.verify` verifies records.
"""
