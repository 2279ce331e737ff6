"""Record the outputs of the studies with another version: `python -m tests.upgrade.record_reports TREE [STUDY...]`.

TREE is a checkout of that version with its `.venv`. Its commands run on an empty PostgreSQL of their own.
"""

import json
import lzma
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from annotation.quickstart.temporary_services import TemporaryServices
from tests.upgrade.commands import run_commands
from tests.upgrade.public_studies import SHARED_STUDIES, digest_of
from tests.upgrade.studies import RECORDED, SHARED, STUDIES, Study

Run = Callable[[list[list[str]]], None]


def main(tree: Path, slugs: list[str]) -> None:
    scratch = TemporaryServices.new()
    try:
        scratch.start()
        environment = os.environ | scratch.environment() | {"LOG_LEVEL": "WARNING"}

        def run(commands: list[list[str]]) -> None:
            run_commands(str(tree / ".venv/bin/python"), tree, environment, commands)

        run([["migrate", "--verbosity", "0"]])
        for study in STUDIES:
            if not slugs or study.slug in slugs:
                record(study, run)
        if SHARED.is_dir() and (not slugs or "shared" in slugs):
            record_digests(run)
    finally:
        scratch.remove()


def outputs_of(study: Study, run: Run) -> dict[str, str]:
    with tempfile.TemporaryDirectory() as folder:
        paths = {output: Path(folder) / f"output-{n}" for n, output in enumerate(study.outputs)}
        commands = [[*study.arguments(output), "--output", str(path)] for output, path in paths.items()]
        run([*study.commands(Path(folder)), *commands])
        return {output: path.read_text(encoding="utf-8") for output, path in paths.items()}


def record(study: Study, run: Run) -> None:
    text = json.dumps(outputs_of(study, run), ensure_ascii=False).encode()
    path = RECORDED / "reports" / f"{study.slug}.json.xz"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(lzma.compress(text, preset=9 | lzma.PRESET_EXTREME))
    print(study.slug, len(text), path.stat().st_size, flush=True)


def record_digests(run: Run) -> None:
    digests = {
        study.slug: {output: digest_of(text) for output, text in outputs_of(study, run).items()}
        for study in SHARED_STUDIES
    }
    (RECORDED / "shared-data.json").write_text(json.dumps(digests, indent=1) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute(), sys.argv[2:])
