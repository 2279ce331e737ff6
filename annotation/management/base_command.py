"""The base of all commands: output, errors, progress.

Data is written to standard output or --output, all else to standard error. Each problem is one line, `file:line:
problem`, with exit code 1, never a traceback. Each command parses its arguments, calls a package, and prints.
"""

import json
import os
import sys
from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn, Protocol

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandParser
from django.db import DataError, ProgrammingError

from ..accounts.names import PersonError
from ..audit import record_download
from ..jobs import Progress, Refused
from ..model_calls.errors import ModelError
from ..models import Dataset, Project, User
from ..projects.protocol_versions import ProtocolClash
from ..queue.errors import ProjectError
from ..site.file_storage import whole_file

NO_TABLES = "the database has no tables, or those of another version: run `manage.py migrate`"
BAD_INPUT = 1


class FactuaryCommand(BaseCommand, ABC):
    """Base of the commands. Subclasses implement `add_arguments` and `work`."""

    requires_system_checks: list[str] = []

    def run_from_argv(self, argv: list[str]) -> None:
        """Exit with 1 for an invalid command line too, where argparse exits with 2."""
        try:
            super().run_from_argv(argv)
        except SystemExit as stop:
            sys.exit(BAD_INPUT if stop.code == 2 else stop.code)
        except BrokenPipeError:
            # The reader has closed the pipe: Python's flush at exit must not fail.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            self.work(**options)
        except Refused as refused:
            self.fail(refused.problems)
        except (ModelError, PersonError, ProjectError, ProtocolClash, ImproperlyConfigured) as error:
            self.fail([str(error)])
        except ProgrammingError as error:
            if "does not exist" not in str(error):
                raise
            self.fail([NO_TABLES])
        except (DataError, OverflowError, UnicodeEncodeError) as error:
            self.fail([f"a name or number in the command cannot be stored: {error}"])

    @abstractmethod
    def work(self, **options: Any) -> None: ...

    def fail(self, lines: Iterable[str]) -> NoReturn:
        """Print the problems and exit with 1."""
        self.write_lines(lines)
        sys.exit(BAD_INPUT)

    def write_lines(self, lines: Iterable[str]) -> None:
        """Print a message to standard error."""
        for line in lines:
            self.stderr.write(one_line(line))

    def show(self, lines: Iterable[str], as_json: dict[str, Any], *, json_wanted: bool) -> None:
        """Print counts: one JSON object, or lines. With JSON the lines go to standard error."""
        if json_wanted:
            self.write_lines(lines)
            self.stdout.write(json.dumps(as_json))
        else:
            self.stdout.write("\n".join(lines))

    def write_out(self, pieces: Iterable[bytes], output: Path | None) -> None:
        """Write data to standard output, or to `output`, which is complete or absent."""
        if output is None:
            for piece in pieces:
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()
            return
        try:
            with whole_file(output) as file:
                for piece in pieces:
                    file.write(piece)
        except OSError as error:
            raise Refused([f"{output}: cannot be written: {error.strerror or error}"]) from None

    @contextmanager
    def progress(self) -> Iterator[Progress]:
        """Show progress on standard error if that is a terminal."""
        if not sys.stderr.isatty():
            yield Progress()
            return
        from rich.console import Console
        from rich.progress import Progress as Bar

        with Bar(console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task("", total=None)
            yield Progress(lambda p: bar.update(task, completed=p.done, total=p.total, description=p.message))


class Counts(Protocol):
    def lines(self) -> Iterable[str]: ...
    def as_json(self) -> dict[str, Any]: ...


class ImportCommand(FactuaryCommand):
    """Base of the commands that import files. Subclasses implement `load`, and add their arguments."""

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="check and count everything, store nothing")
        add_json(parser)

    def work(self, **options: Any) -> None:
        with self.progress() as progress:
            counts = self.load(options, dry_run=options["dry_run"], progress=progress)
        self.show(counts.lines(), counts.as_json(), json_wanted=options["json"])

    @abstractmethod
    def load(self, options: dict[str, Any], *, dry_run: bool, progress: Progress) -> Counts:
        """Import the files that the options name, all or nothing. Raise Refused."""


def record_written(project: Project, name: str, *, with_names: bool) -> None:
    """Record in the audit that a command writes the file `name` of a project, and whether it names raters."""
    record_download(None, f"project:{project.slug}", project=project, name=name, with_names=with_names)


def add_json(parser: ArgumentParser | CommandParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object of counts")


def add_output(parser: ArgumentParser | CommandParser) -> None:
    parser.add_argument("--output", type=Path, metavar="PATH", help="file to write (default: standard output)")


def get_dataset(slug: str) -> Dataset:
    """Return the data set. Raise Refused with the existing names."""
    dataset = Dataset.objects.filter(slug=slug).first()
    if dataset is None:
        raise Refused([f"there is no data set {slug!r}; {_there_are(Dataset.objects.values_list('slug', flat=True))}"])
    return dataset


def get_project(slug: str) -> Project:
    """Return the project. Raise Refused with the existing names."""
    project = Project.objects.select_related("protocol", "dataset").filter(slug=slug).first()
    if project is None:
        raise Refused([f"there is no project {slug!r}; {_there_are(Project.objects.values_list('slug', flat=True))}"])
    return project


def get_user(username: str) -> User:
    """Return the user. Raise Refused."""
    user = User.objects.named(username)
    if user is None:
        raise Refused([f"there is no user {username!r}: create the account with create_user"])
    return user


def interval_text(value: float | None, low: float | None, high: float | None) -> str:
    """Return a figure with its interval, if it has one."""
    if value is None:
        return "undefined"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} ({low:.3f} to {high:.3f})"


def one_line(text: str) -> str:
    """Return a message on one line without control characters."""
    return "".join(char if char.isprintable() else " " for char in text)


def _there_are(names: Iterable[str]) -> str:
    listed = sorted(names)
    return f"there are: {', '.join(listed[:20])}" if listed else "none exists yet"
