"""Edits of bytes: drawn by a seed for the long run, or by hypothesis, which then finds the shortest list that fails."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

KINDS = ("flip", "set", "insert", "delete", "repeat", "cut", "swap", "number", "token")
TOKENS = (
    b"", b"\0", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b'"', b'""', b"'", b",", b"\t", b";", b" ", b"NaN",
    b"inf", b"-inf", b"1e999", b"null", b"true", b"[", b"{", b"]", b"}", b"[" * 2000, b'{"a":' * 2000, b"&a [*a]",
    b"<<: *a",
    b"<graph>", b"</graph>", b"<!DOCTYPE a>", b"&x;", b"encoding='x'", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"=1+1",
    b"x" * 5000, b"\x1b[31m", b"../../etc/passwd", b"%s%n", b"--", b"#", b": ", b"- ",
    b"!!python/object:os.system", b"9" * 400,
)  # fmt: skip
NUMBERS = (
    b"0",
    b"-1",
    b"1",
    b"255",
    b"65536",
    b"2147483648",
    b"-9223372036854775809",
    b"1e308",
    b"99999999999999999999",
)
_NUMBER = re.compile(rb"-?\d+(\.\d+)?")


@dataclass(frozen=True)
class Edit:
    """One edit: what, at which share of the length, over how many bytes, and which token, bit or number."""

    kind: str
    at: float
    size: int
    choice: int

    def apply(self, data: bytes) -> bytes:
        """Return the bytes after the edit."""
        a = min(len(data), int(self.at * len(data)))
        b = min(len(data), a + self.size)
        if self.kind == "flip" and data:
            a = min(a, len(data) - 1)
            return data[:a] + bytes([data[a] ^ 1 << self.choice % 8]) + data[a + 1 :]
        if self.kind == "set":
            return data[:a] + bytes([self.choice % 256]) * (b - a) + data[b:]
        if self.kind == "insert":
            return data[:a] + bytes([self.choice % 256]) * self.size + data[a:]
        if self.kind == "delete":
            return data[:a] + data[b:]
        if self.kind == "repeat":
            return data[:b] + data[a:b] * (1 + self.choice % 50) + data[b:]
        if self.kind == "cut":
            return data[:a]
        if self.kind == "swap":
            return data[:a] + data[b : b + self.size] + data[a:b] + data[b + self.size :]
        if self.kind == "number":
            found = _NUMBER.search(data, a)
            if found is not None:
                return data[: found.start()] + NUMBERS[self.choice % len(NUMBERS)] + data[found.end() :]
        return data[:a] + TOKENS[self.choice % len(TOKENS)] + data[b if self.choice % 2 else a :]


def drawn(rng: random.Random) -> list[Edit]:
    """Return one to four edits."""
    return [
        Edit(rng.choice(KINDS), rng.random(), rng.choice((0, 1, 2, 4, 8, 64, 1000)), rng.randrange(1 << 16))
        for _ in range(rng.choice((1, 1, 2, 4)))
    ]
