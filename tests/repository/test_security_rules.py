"""Rules for the code of the program: exceptions from ruff's security rules have a reason, unsafe names are not used."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path

from tests.conftest import CODE

NOT_SHIPPED = ("tests/", "benchmarks/", "faults/")
PROGRAM = [path for folder in ("annotation", "tasks") for path in (CODE / folder).rglob("*.py")]
REASON = re.compile(r"# noqa: S\d+[^#]* - \w")


@cache
def calls() -> list[tuple[str, str, set[str]]]:
    """Return place, dotted name and keywords of each call in the program."""
    return [
        (f"{path.relative_to(CODE)}:{node.lineno}", ast.unparse(node.func), {str(each.arg) for each in node.keywords})
        for path, node in nodes()
        if isinstance(node, ast.Call)
    ]


def imported_names() -> list[tuple[str, str]]:
    """Return place and full name of each import in the program."""
    names = []
    for path, node in nodes():
        if isinstance(node, ast.Import):
            names += [(str(path.relative_to(CODE)), alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names += [(str(path.relative_to(CODE)), f"{node.module}.{alias.name}") for alias in node.names]
    return names


def uses_of(module: str) -> list[tuple[str, str]]:
    """Return place and full name of what the program uses of a module."""
    attributes = [(str(path), ast.unparse(node)) for path, node in nodes() if isinstance(node, ast.Attribute)]
    return [(path, name) for path, name in attributes + imported_names() if re.match(rf"{module}\.\w+$", name)]


@cache
def nodes() -> list[tuple[Path, ast.AST]]:
    """Return the nodes of all syntax trees of the program with their files."""
    return [(path, node) for path in PROGRAM for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))]


def test_no_file_of_the_program_is_exempt_as_a_whole_and_each_exception_has_its_reason() -> None:
    ignores = tomllib.loads((CODE / "pyproject.toml").read_text())["tool"]["ruff"]["lint"]["per-file-ignores"]
    exempt = [path for path, rules in ignores.items() if any(re.fullmatch(r"S\d*", rule) for rule in rules)]
    assert [path for path in exempt if not path.startswith(NOT_SHIPPED)] == []
    lines = [
        (str(path.relative_to(CODE)), line)
        for path in [*PROGRAM, *(CODE / "scripts").rglob("*.py")]
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"# noqa: S\d+", line) and not REASON.search(line)
    ]
    assert lines == []


def test_no_shell_runs_a_program_no_text_is_run_as_code_and_no_template_is_made_of_a_text() -> None:
    shells = {"os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput"}
    assert [call for call, name, _keywords in calls() if name in shells | {"eval", "exec", "compile"}] == []
    assert [call for call, _name, keywords in calls() if "shell" in keywords] == []
    classes = {"django.template.Template", "django.template.Engine"}
    assert [(path, name) for path, name in imported_names() if name in classes] == []
    assert [call for call, name, _keywords in calls() if name.endswith("from_string")] == []


def test_hashes_ciphers_and_random_numbers_are_approved_ones() -> None:
    hashes = {name for _path, name in uses_of("hashlib")}
    assert hashes <= {"hashlib.sha256", "hashlib.file_digest", "hashlib._Hash"}
    ciphers = {name for _path, name in imported_names() if name.startswith("cryptography.hazmat.primitives.ciphers")}
    assert ciphers == {"cryptography.hazmat.primitives.ciphers.aead.AESGCM"}
    generators = {name for _path, name in imported_names() if name == "random" or name.startswith("random.")}
    assert generators <= {"random.SystemRandom"}


def test_scripts_compare_strictly_pages_need_no_plugin_and_the_image_has_neither_the_repository_nor_tests() -> None:
    assert '"eqeqeq": "error"' in (CODE / "eslint.config.js").read_text()
    assert re.search(r'^\s*"strict": true', (CODE / "tsconfig.json").read_text(), re.MULTILINE)
    ignored = (CODE / ".dockerignore").read_text().split()
    assert {".git", "tests", "benchmarks", "faults"} <= set(ignored)
    assert [line for line in ignored if line.startswith("!")] == []
    plugin = re.compile(r"<(?:object|embed|applet|frame|iframe)\b")
    pages = [path for path in (CODE / "templates").rglob("*") if path.is_file() and path.suffix in (".html", ".txt")]
    assert pages and [str(path) for path in pages if plugin.search(path.read_text(encoding="utf-8"))] == []


def test_csv_is_written_in_one_place_which_quotes_every_cell() -> None:
    writers = [place for place, name, _ in calls() if name.endswith(("csv.writer", "DictWriter"))]
    assert [place.partition(":")[0] for place in writers] == ["annotation/csv_guarding.py"]
