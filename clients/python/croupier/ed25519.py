"""Verification of Ed25519 signatures (RFC 8032). Nothing here is secret, so constant time is not
needed."""

import hashlib

# In extended coordinates: x/z and y/z, with t = xy/z. They need no inverse at each step.
Point = tuple[int, int, int, int]

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
    (x1, y1, z1, _), (x2, y2, z2, _) = multiply(BASE, s), add(point, multiply(owner, h))
    return (x1 * z2 - x2 * z1) % P == 0 == (y1 * z2 - y2 * z1) % P


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
    x = x if x % 2 == sign else P - x
    return x, y, 1, x * y % P


def add(one: Point, two: Point) -> Point:
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, two
    a, b = (y1 - x1) * (y2 - x2), (y1 + x1) * (y2 + x2)
    c, d = 2 * D * t1 % P * t2, 2 * z1 * z2
    e, f, g, h = (b - a) % P, (d - c) % P, (d + c) % P, (b + a) % P
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(point: Point, times: int) -> Point:
    total: Point = (0, 1, 1, 0)
    while times:
        if times & 1:
            total = add(total, point)
        point, times = add(point, point), times >> 1
    return total


_base = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))
assert _base
BASE = _base
