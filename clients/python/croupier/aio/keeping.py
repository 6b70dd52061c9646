"""Keeping what a service signed about matches while they are played: the last receipt of each, the
proofs that its transparency log has them, and the newest checkpoint of that log. What is told later
is compared with it.
"""

from __future__ import annotations

import json
import time
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from croupier import _waiting, v1
from croupier.keeping import Complaint, KeptLog, KeptMatch, Memory, Store
from croupier.look import AboutMatch, Look, compare, needed_consistency
from croupier.notes import Signed, VerifierKey, follow
from croupier.outcome import UNPROVEN, Finding, Problem, Receipt
from croupier.verify import parse, read_receipt, verify_receipts

if TYPE_CHECKING:
    from croupier.aio.client import Croupier

_PROOF_PAUSE = 0.25  # seconds after which a proof is asked for again that is not there yet
_LOG = "log"  # the name under which what was kept of the log is stored


class Keeper:
    """Keeps what one service signed.

    `log_key` is the verifier key of its log; without it, the key that the service names first is
    believed, and kept. `store` is where it keeps, one service a store: by default in memory.
    """

    def __init__(self, client: Croupier, *, log_key: str = "", store: Store | None = None) -> None:
        self._client = client
        self._log_key = log_key
        self._store = store or Memory()
        # Each answer is compared with what the one before it let be kept.
        self._lock = _waiting.Lock()

    async def log(self) -> KeptLog:
        """What was kept of the log."""
        return replace(KeptLog(self._log_key), **await self._stored(_LOG))

    async def match(self, name: str) -> KeptMatch:
        """What was kept of a match, by its name."""
        return KeptMatch(**await self._stored(name))

    async def await_opening(self, its: v1.Match, wait: float) -> list[Complaint]:
        """Waits until the log has the opening of a match, and keeps the proof. Call it before
        contributing to the chance of the match: the order is proven to whoever has the proof from
        before. Returns at once if the service has no log, and after `wait` seconds at the latest."""
        until = time.monotonic() + wait
        path = f"/log/proof/opened/{its.name.removeprefix('matches/')}"
        while (await self._known_log()).log_key:
            proof = await self._client.page(path)
            if proof is not None:
                async with self._lock:
                    complaints = await self._compare_proof(its, proof)
                    kept = await self.match(its.name)
                    if not complaints and not kept.came_first:
                        kept = replace(kept, opened_proof=proof, came_first=True)
                        await self._put(its.name, kept)
                return complaints
            if time.monotonic() >= until:
                break
            await _waiting.sleep(_PROOF_PAUSE)
        return []

    async def look(self, its: v1.Match) -> list[Complaint]:
        """Gets a receipt for the last entry of a match, with the proofs of the log, compares them
        with what was kept, and keeps them. A match that is not dealt yet has no receipt."""
        if not its.position:
            return []
        receipt = await self._client.match(its.name).receipt(its.position)
        keys = parse((await self._client.page("/.well-known/jwks.json") or "{}").encode())
        async with self._lock:
            kept = await self.match(its.name)
            complaints = _compare_receipts(keys, its.name, kept.receipt, receipt.jws)
            has_log = (await self._known_log()).log_key
            for proof in (receipt.opened_proof, receipt.closed_proof):
                if has_log and proof:
                    complaints += await self._compare_proof(its, proof)
            if not complaints:
                # The proof from before a contribution is worth more than a later one.
                opened = kept.opened_proof if kept.came_first else receipt.opened_proof
                kept = KeptMatch(receipt.jws, opened, receipt.closed_proof, kept.came_first)
                await self._put(its.name, kept)
        return complaints

    async def _known_log(self) -> KeptLog:
        """What is kept of the log; its key is empty if the service has none."""
        kept = await self.log()
        if kept.log_key:
            return kept
        kept = replace(kept, log_key=(await self._client.page("/log/key") or "").strip())
        if kept.log_key:
            await self._put(_LOG, kept)
        return kept

    async def _compare_proof(self, its: v1.Match, told: str) -> list[Complaint]:
        complaints = await self._follow()
        kept = await self.log()
        about = AboutMatch(its.name, seats=len(its.seats), seed_commitment=its.seed_commitment)
        look = Look(kept.log_key, told, kept.checkpoint or None, match=about)
        if needed := needed_consistency(look):
            page = await self._client.page(f"/log/consistency/{needed[0]}/{needed[1]}")
            look = replace(look, consistency=page)
        looked = await _waiting.apart(compare, look)
        await self._put(_LOG, replace(kept, checkpoint=looked.checkpoint or ""))
        # That the service shows no proof, such as under load, is no contradiction.
        found = [it for it in looked.findings if it.code not in UNPROVEN]
        return complaints + [Complaint(it, looked.evidence) for it in found]

    async def _follow(self) -> list[Complaint]:
        """Follows the log to the one that is served now, if their keys say so."""
        kept = await self.log()
        served = (await self._client.page("/log/key") or "").strip()
        if served in ("", kept.log_key):
            return []
        key = VerifierKey.parse(kept.log_key)
        followed = follow(key, await self._client.page("/log/successions") or "")
        if all(it.next != served for it in followed):
            return []
        await self._put(_LOG, KeptLog(served))
        if not kept.checkpoint:
            return []
        seen, last = Signed.verify(kept.checkpoint, key).checkpoint, followed[0].last
        if seen.size < last.size or seen == last:
            return []
        reason = "the log ended otherwise than it was seen"
        evidence = [kept.checkpoint, followed[0].note]
        return [Complaint(Finding("LOG_CONTRADICTS", reason), evidence)]

    async def _stored(self, name: str) -> dict[str, Any]:
        text = await _waiting.resolved(self._store.get(name))
        stored: dict[str, Any] = json.loads(text or "{}")
        return stored

    async def _put(self, name: str, kept: KeptLog | KeptMatch) -> None:
        await _waiting.resolved(self._store.put(name, json.dumps(asdict(kept))))


def _compare_receipts(keys: Any, match: str, kept: str, told: str) -> list[Complaint]:
    evidence = [it for it in (kept, told) if it]
    receipts, found = list[Receipt](), list[Finding]()
    for jws in evidence:
        try:
            receipts.append(read_receipt(jws, keys))
        except Problem as problem:
            found.append(Finding(problem.code, str(problem), match))
    report = verify_receipts(receipts)
    return [Complaint(it, evidence) for it in (*found, *report.wrong, *report.unproven)]
