"""How calls fail."""

from __future__ import annotations

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

# The service did nothing, so the same request may always be sent again.
_NOTHING_DONE = frozenset({"OVERLOADED", "DATABASE_UNAVAILABLE", "RATE_LIMIT_EXCEEDED"})
_OUTCOME_UNKNOWN = frozenset({"OUTCOME_UNKNOWN", "DATABASE_FULL", "DEADLINE_EXCEEDED"})


class Refusal(Exception):
    """A call failed: the service or the rules of the game refused it, or the service could not be
    reached.

    `str(refusal)` is a sentence for people: `text`, or else `message`.
    """

    code: grpc.StatusCode
    """The status."""
    message: str
    """The message in English, for developers."""
    text: str
    """The message for players, in the language of the client; empty without one."""
    reason: str
    """The reason as in the contract, such as `POSITION_MOVED`; empty if the service could not be
    reached."""
    domain: str
    """`croupier`, or the game whose rules refused an action, as `games/{game}`."""
    facts: dict[str, str]
    """The facts behind the refusal, by name."""
    field: str
    """The invalid field of the request, as a path; empty if there is none."""
    retry_after: float | None
    """After how many seconds the same request may be sent again, if the service says so."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        *,
        reason: str = "",
        domain: str = "",
        facts: dict[str, str] | None = None,
        field: str = "",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.text = ""
        self.reason = reason
        self.domain = domain
        self.facts = facts or {}
        self.field = field
        self.retry_after = retry_after

    def __str__(self) -> str:
        return self.text or self.message

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuilt, (self.code, self.message, self.__dict__))

    @property
    def is_by_rules(self) -> bool:
        """Whether the rules of the game refused an action."""
        return self.domain.startswith("games/")

    @property
    def outcome_unknown(self) -> bool:
        """Whether the call may have had its effect. Sending the same request with the same request
        id finds out."""
        lost = {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}
        if self.reason:
            return self.reason in _OUTCOME_UNKNOWN
        return self.code in lost or self.is_transport

    @property
    def nothing_done(self) -> bool:
        """Whether the service says that it did nothing, and that the request may be repeated."""
        return self.reason in _NOTHING_DONE

    @property
    def is_retryable(self) -> bool:
        """Whether the same request may succeed later. If it changes something and has no request
        id, send it again only if `nothing_done`."""
        return self.nothing_done or self.code == grpc.StatusCode.UNAVAILABLE or self.is_transport

    @property
    def is_transport(self) -> bool:
        """Whether the connection broke, rather than the service answered."""
        broken = {
            grpc.StatusCode.UNAVAILABLE,
            grpc.StatusCode.UNKNOWN,
            grpc.StatusCode.INTERNAL,
            grpc.StatusCode.CANCELLED,
        }
        return not self.reason and self.code in broken


def _rebuilt(code: grpc.StatusCode, message: str, state: dict[str, object]) -> Refusal:
    refusal = Refusal(code, message)
    refusal.__dict__.update(state)
    return refusal


def went_back_to(position: int) -> Refusal:
    """What was received after a position is no longer in the record."""
    return Refusal(
        grpc.StatusCode.DATA_LOSS,
        "the database lost entries that were received",
        reason="RECORD_WENT_BACK",
        domain="croupier",
        facts={"position": str(position)},
    )


def refusal_of(error: grpc.RpcError) -> Refusal:
    """The refusal in an error of gRPC."""
    assert isinstance(error, (grpc.Call, grpc.aio.AioRpcError))
    refusal = Refusal(error.code(), error.details() or error.code().name)
    for key, value in error.trailing_metadata() or ():
        if key != "grpc-status-details-bin" or not isinstance(value, bytes):
            continue
        try:
            status = status_pb2.Status.FromString(value)
        except DecodeError:
            continue
        for detail in status.details:
            _add(refusal, detail)
    return refusal


def status_refusal(status: status_pb2.Status) -> Refusal:
    """The refusal in an error inside a message, such as that of an action of `Play`."""
    codes = {code.value[0]: code for code in grpc.StatusCode}
    refusal = Refusal(codes.get(status.code, grpc.StatusCode.UNKNOWN), status.message)
    for detail in status.details:
        _add(refusal, detail)
    return refusal


def _add(refusal: Refusal, detail: object) -> None:
    info = error_details_pb2.ErrorInfo()
    delay = error_details_pb2.RetryInfo()
    request = error_details_pb2.BadRequest()
    text = error_details_pb2.LocalizedMessage()
    if detail.Unpack(info):  # type: ignore[attr-defined]
        refusal.reason, refusal.domain = info.reason, info.domain
        refusal.facts = dict(info.metadata)
        refusal.field = refusal.field or info.metadata.get("field", "")
    elif detail.Unpack(delay):  # type: ignore[attr-defined]
        refusal.retry_after = delay.retry_delay.ToTimedelta().total_seconds()
    elif detail.Unpack(request):  # type: ignore[attr-defined]
        for violation in request.field_violations[:1]:
            refusal.field = violation.field
    elif detail.Unpack(text):  # type: ignore[attr-defined]
        refusal.text = text.message
