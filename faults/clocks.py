"""Clocks that jump: libfaketime shifts what a process and its children are told, and reads the shift at every call.

The clock of the machine stays as it is. Monotonic clocks are not shifted, as no change of a machine's time shifts them.
"""

import importlib.util
import shutil
from pathlib import Path

LIBRARY = Path("vendor", "libfaketime", "src", "libfaketime.so.1")


class Clock:
    """The clock of processes that are started with `variables()`."""

    def __init__(self, folder: Path, name: str) -> None:
        self._folder, self._file = folder, folder / name

    def variables(self) -> dict[str, str]:
        """Return the environment of a process with this clock."""
        library = self._folder / LIBRARY.name
        if not self._file.exists():
            self.set(0)
        if not library.exists():
            shutil.copy(_library(), library)
            library.chmod(0o755)  # PostgreSQL's user loads it too
        return {
            "LD_PRELOAD": str(library),
            "FAKETIME_TIMESTAMP_FILE": str(self._file),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
        }

    def set(self, seconds: float) -> None:
        """Set how far the clock is ahead of the machine's."""
        new = self._file.with_suffix(".new")
        new.parent.mkdir(exist_ok=True)
        new.write_text(f"{seconds:+g}s\n")
        new.chmod(0o644)
        new.replace(self._file)


def _library() -> Path:
    package = importlib.util.find_spec("libfaketime")
    if package is None or package.origin is None:
        raise ModuleNotFoundError("the package libfaketime is not installed: run `make setup-dev`")
    return Path(package.origin).parent / LIBRARY
