"""Encryption of a file by a passphrase, in pieces of 1 MiB, so that files of any size are written and read as streams.

The key comes from the passphrase by scrypt; each piece is sealed by AES-256-GCM. The nonce has the number of the piece
and whether it is the last (the construction STREAM, doi:10.1007/978-3-662-48797-6_14), so that pieces can neither be
changed nor reordered, nor be missing at the end.
"""

import os
from typing import IO, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

MAGIC = b"factuary-encrypted-backup-1\n"
SALT_SIZE, PREFIX_SIZE, TAG_SIZE = 16, 7, 16
PIECE = 1 << 20
SCRYPT_COST = 1 << 16
"""Cost of scrypt: a guess of the passphrase takes 64 MiB and some tenths of a second."""


class Writable(Protocol):
    def write(self, data: bytes, /) -> object: ...


class DecryptionError(Exception):
    """The passphrase is wrong, or the file was changed or is incomplete."""


class EncryptedWriter:
    """Write to `sink` what is written to this object, encrypted. `close` writes the last piece; the sink stays open."""

    def __init__(self, sink: Writable, passphrase: str):
        salt, self._prefix = os.urandom(SALT_SIZE), os.urandom(PREFIX_SIZE)
        self._key, self._sink, self._number, self._waiting = _key(passphrase, salt), sink, 0, bytearray()
        sink.write(MAGIC + salt + self._prefix)

    def write(self, data: bytes, /) -> int:
        self._waiting += data
        while len(self._waiting) > PIECE:
            self._seal(bytes(self._waiting[:PIECE]), last=False)
            del self._waiting[:PIECE]
        return len(data)

    def close(self) -> None:
        self._seal(bytes(self._waiting), last=True)

    def _seal(self, piece: bytes, *, last: bool) -> None:
        nonce = _nonce(self._prefix, self._number, last=last)
        self._sink.write(self._key.encrypt(nonce, piece, None))
        self._number += 1


class EncryptedReader:
    """Read the content of an encrypted file. `source` stands after MAGIC. Raises DecryptionError."""

    def __init__(self, source: IO[bytes], passphrase: str):
        salt, self._prefix = source.read(SALT_SIZE), source.read(PREFIX_SIZE)
        self._key, self._source, self._number = _key(passphrase, salt), source, 0
        self._next, self._open = source.read(PIECE + TAG_SIZE), b""

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes, fewer only at the end; all if it is negative."""
        pieces = [self._open]
        available = len(self._open)
        while self._next and (size < 0 or available < size):
            pieces.append(self._unseal())
            available += len(pieces[-1])
        content = b"".join(pieces)
        size = len(content) if size < 0 else size
        self._open = content[size:]
        return content[:size]

    def _unseal(self) -> bytes:
        sealed, self._next = self._next, self._source.read(PIECE + TAG_SIZE)
        nonce = _nonce(self._prefix, self._number, last=not self._next)
        self._number += 1
        try:
            return self._key.decrypt(nonce, sealed, None)
        except InvalidTag:
            raise DecryptionError("the passphrase is wrong, or the file was changed or is incomplete") from None


def _key(passphrase: str, salt: bytes) -> AESGCM:
    return AESGCM(Scrypt(salt=salt, length=32, n=SCRYPT_COST, r=8, p=1).derive(passphrase.encode()))


def _nonce(prefix: bytes, number: int, *, last: bool) -> bytes:
    return prefix + number.to_bytes(4, "big") + bytes([last])
