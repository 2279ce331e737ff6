"""A small disk (tmpfs) that a scenario fills. To mount one, the user must be root."""

import os
import subprocess
from pathlib import Path

PIECE = 1 << 16


class CannotMountError(Exception):
    """No small disk can be mounted here. The message says what is needed."""


class SmallDisk:
    """A folder on a disk of its own, of `megabytes`; an ordinary folder where none can be mounted."""

    def __init__(self, folder: Path, megabytes: int) -> None:
        self.folder, self.megabytes = folder, megabytes
        self.problem = ""

    def mount(self) -> None:
        self.folder.mkdir(mode=0o755)
        options = f"size={self.megabytes}m,mode=0755"
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)], capture_output=True, text=True
        )
        if done.returncode:
            self.problem = f"a small disk (tmpfs) cannot be mounted: run this as root ({done.stderr.strip()})"

    def unmount(self) -> None:
        if os.path.ismount(self.folder):
            self.free()
            subprocess.run(["umount", "--lazy", str(self.folder)], check=True)

    def fill(self) -> None:
        """Fill the disk to the last byte. Raises CannotMountError for an ordinary folder."""
        if self.problem:
            raise CannotMountError(self.problem)
        piece = bytes(PIECE)
        with self._filler.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(piece)
            except OSError:
                return

    def free(self) -> None:
        self._filler.unlink(missing_ok=True)

    def used_by_site(self) -> int:
        """Return the size of all files that the site has stored, in bytes."""
        files = [path for path in self.folder.rglob("*") if path.is_file() and path != self._filler]
        return sum(path.stat().st_size for path in files)

    @property
    def _filler(self) -> Path:
        return self.folder / "filler"
