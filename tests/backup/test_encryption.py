import io
from contextlib import closing

import pytest

from annotation.backup import encryption
from annotation.backup.encryption import MAGIC, TAG_SIZE, DecryptionError, EncryptedReader, EncryptedWriter

HEADER = len(MAGIC) + encryption.SALT_SIZE + encryption.PREFIX_SIZE
SEALED = 16 + TAG_SIZE


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch):
    monkeypatch.setattr(encryption, "PIECE", 16)
    monkeypatch.setattr(encryption, "SCRYPT_COST", 2)


def encrypted(content: bytes, passphrase: str = "correct horse") -> bytes:
    sink = io.BytesIO()
    with closing(EncryptedWriter(sink, passphrase)) as writer:
        for start in range(0, len(content), 7):
            writer.write(content[start : start + 7])
    return sink.getvalue()


def decrypted(sealed: bytes, passphrase: str = "correct horse", size: int = -1) -> bytes:
    source = io.BytesIO(sealed)
    assert source.read(len(MAGIC)) == MAGIC
    reader = EncryptedReader(source, passphrase)
    return b"".join(iter(lambda: reader.read(size), b""))


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 32, 100])
def test_what_was_written_is_read_and_encrypted_differently_each_time(length):
    content = bytes(range(length))
    sealed = encrypted(content)
    for size in (-1, 1, 5, 16, 1000):
        assert decrypted(sealed, size=size) == content
    assert length < 8 or content not in sealed
    assert encrypted(content) != sealed


def test_another_passphrase_reads_nothing():
    with pytest.raises(DecryptionError):
        decrypted(encrypted(b"secret"), "another")


def test_every_change_is_noticed():
    sealed = encrypted(bytes(40))
    first, *others = (sealed[start : start + SEALED] for start in range(HEADER, len(sealed), SEALED))
    bit = bytes([first[3] ^ 1])
    for changed in (
        sealed[:-1],
        sealed[:HEADER] + first,
        sealed[:HEADER] + b"".join(others),
        sealed[:HEADER] + first[:3] + bit + first[4:] + b"".join(others),
        sealed[:HEADER] + others[0] + first,
        sealed + b"x" * 40,
    ):
        with pytest.raises(DecryptionError):
            decrypted(changed)
