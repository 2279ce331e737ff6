from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from ... import protocols
from ...importing.input_files import FileReader, SourceFile
from ...jobs import Refused
from ...projects.protocol_versions import ProtocolClash, store_protocol
from ..base_command import FactuaryCommand


class Command(FactuaryCommand):
    help = "Check a protocol (TOML) and store it as a version that projects can use. A stored version never changes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", type=Path, metavar="PATH", help="the protocol, a TOML file")

    def work(self, **options: Any) -> None:
        path: Path = options["path"]
        try:
            version, is_new = store_protocol("".join(FileReader(SourceFile.named_as_given(path)).text()))
        except protocols.ProtocolError as error:
            raise Refused(f"{path}:{problem.line}: {problem.message}" for problem in error.problems[:20]) from None
        except ProtocolClash as clash:
            raise Refused([f"{path}: {clash}"]) from None
        state = "stored" if is_new else "already stored, unchanged"
        self.write_lines([f"protocol {version.slug} {version.version} ({version.sha256[:12]}): {state}"])
