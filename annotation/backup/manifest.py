"""The manifest of a backup: versions, number of rows of each table, and the hash of each member."""

import msgspec

SCHEMA = "factuary-backup/1"


class Member(msgspec.Struct, frozen=True):
    """The dump or a stored file: its size in bytes and hash."""

    size: int
    sha256: str


class Manifest(msgspec.Struct, frozen=True):
    """What a backup has. `created_at` is ISO 8601 in UTC; `migrations` are `app.name`; `rows` are by table."""

    schema: str
    factuary: str
    postgresql: str
    created_at: str
    migrations: list[str]
    rows: dict[str, int]
    database: Member
    files: dict[str, Member]
    missing_files: list[str]
    """Files that a row names and that were not there; tidying deletes files while a backup is written."""

    def to_json(self) -> bytes:
        return msgspec.json.format(msgspec.json.encode(self), indent=1)


def manifest_from(content: bytes) -> Manifest:
    """Return the manifest. Raises ValueError for another content."""
    manifest = msgspec.json.decode(content, type=Manifest)
    if manifest.schema != SCHEMA:
        raise ValueError(f"{manifest.schema} and not {SCHEMA}")
    return manifest
