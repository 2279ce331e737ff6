"""Replies that are too large or too slow, for the faults of a fake endpoint."""

import gzip
import time
from collections.abc import Callable
from functools import cache
from typing import BinaryIO, NoReturn

QUESTION = {"model": "tiny", "messages": [{"role": "user", "content": "Is it?"}], "max_tokens": 10}
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"


@cache
def bomb(start: bytes, character: bytes, length: int) -> bytes:
    return gzip.compress(start + character * length, compresslevel=1)


def endless(stream: BinaryIO) -> NoReturn:
    stream.write(HEAD + b'\r\n{"choices": "')
    while True:
        stream.write(b"x" * 100_000)


def compressed_endless(stream: BinaryIO) -> NoReturn:
    stream.write(HEAD + b"content-encoding: gzip\r\n\r\n")
    block = bomb(b"", b" ", 10_000_000)
    while True:
        stream.write(block)


def one_bomb(stream: BinaryIO) -> None:
    body = bomb(b'{"choices": "', b"x", 60_000_000)
    stream.write(HEAD + b"content-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(body) + body)


def drip(start: bytes, piece: bytes) -> Callable[[BinaryIO], None]:
    def write(stream: BinaryIO) -> None:
        stream.write(start)
        for _ in range(1_000):
            time.sleep(0.05)
            stream.write(piece)

    return write
