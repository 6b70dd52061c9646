"""ChaCha with 8 rounds, 64 bits of block counter and 64 bits of stream number (D. J. Bernstein's layout)."""

import functools
import itertools
import struct
from collections.abc import Iterator

LOW = (1 << 32) - 1


def words(key: bytes, stream: int, wanted: int) -> Iterator[int]:
    """The endless words of a stream, in order; about `wanted` of them will be used."""
    blocks = min(wanted // 16 + 1, 64)
    for first in itertools.count(0, blocks):
        yield from block_words(struct.unpack("<8I", key), stream, first, blocks)


def block_words(key: tuple[int, ...], stream: int, first: int, blocks: int) -> list[int]:
    """The words of some blocks, computed side by side: a row of all of them is one large number."""
    mask, layout = masks(blocks), f"<{4 * blocks}Q"
    word = mask[0]

    def turn(row: int, by: int) -> int:
        return row >> 64 * by & mask[by] | row << 64 * (4 - by) & (word ^ mask[by])

    counters = [half for n in range(first, first + blocks) for half in (n & LOW, n >> 32, stream & LOW, stream >> 32)]
    rows = struct.unpack("<4I", b"expand 32-byte k") * blocks, key[:4] * blocks, key[4:] * blocks, counters
    start = [int.from_bytes(struct.pack(layout, *row), "little") for row in rows]
    a, b, c, d = start
    for half_round in range(8):
        for of_d, of_b in ((16, 12), (8, 7)):
            a = a + b & word
            d = d ^ a
            d = (d << of_d | d >> 32 - of_d) & word
            c = c + d & word
            b = b ^ c
            b = (b << of_b | b >> 32 - of_b) & word
        by = 3 if half_round % 2 else 1  # from columns to diagonals, and back
        b, c, d = turn(b, by), turn(c, 2), turn(d, 4 - by)
    ends = [(x + y & word).to_bytes(32 * blocks, "little") for x, y in zip(start, (a, b, c, d))]
    done = [struct.unpack(layout, end) for end in ends]
    return [word for n in range(0, 4 * blocks, 4) for row in done for word in row[n : n + 4]]


@functools.lru_cache(maxsize=64)
def masks(blocks: int) -> list[int]:
    """Masks for a row of words, 4 per block and each in 64 bits: all of them, and the first 3, 2
    and 1 of each 4."""
    return [sum(LOW << 64 * n for n in range(4 * blocks) if n % 4 < kept) for kept in (4, 3, 2, 1)]
