"""Verification of Ed25519 signatures (RFC 8032). Nothing here is secret, so constant time is not
needed."""

import hashlib

Point = tuple[int, int]

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P


def is_signed(key: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the signature of the message is by this public key."""
    if len(key) != 32 or len(signature) != 64:
        return False
    owner, point, s = decode(key), decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if owner is None or point is None or s >= ORDER:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % ORDER
    return multiply(BASE, s) == add(point, multiply(owner, h))


def decode(data: bytes) -> Point | None:
    """The point of 32 bytes; None if they are not a point."""
    number = int.from_bytes(data, "little")
    y, sign = number % 2**255, number >> 255
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if x * x % P != square:
        x = x * pow(2, (P - 1) // 4, P) % P
    if x * x % P != square or y >= P or sign and not x:
        return None
    return (x if x % 2 == sign else P - x), y


def add(one: Point, two: Point) -> Point:
    (x1, y1), (x2, y2) = one, two
    product = D * x1 * x2 * y1 * y2
    return (x1 * y2 + x2 * y1) * pow(1 + product, -1, P) % P, (y1 * y2 + x1 * x2) * pow(1 - product, -1, P) % P


def multiply(point: Point, times: int) -> Point:
    total = (0, 1)
    while times:
        if times & 1:
            total = add(total, point)
        point, times = add(point, point), times >> 1
    return total


_base = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert _base
BASE = _base
