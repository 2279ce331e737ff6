import re
import tomllib
from functools import cache
from pathlib import Path

from tests.conftest import CODE

PAGES = sorted(
    [*CODE.glob("*.md"), *CODE.glob("docs/**/*.md"), *CODE.glob("fixtures/**/README.md"), *CODE.glob(".github/*.md")]
)
ARCHITECTURE = CODE / "docs" / "architecture.md"
ROOTS = "annotation|benchmarks|docs|faults|fixtures|locale|scripts|static|tasks|templates|tests"


@cache
def text_without_code_blocks(page: Path) -> str:
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@cache
def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub forms them."""
    headings = re.findall(r"^#+ (.+)$", text_without_code_blocks(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_every_link_leads_to_a_file_and_a_heading() -> None:
    broken = []
    for document in PAGES:
        for target in re.findall(r"\]\(([^)\s]+)\)", text_without_code_blocks(document)):
            path, _, anchor = target.partition("#")
            file = (document.parent / path).resolve() if path else document
            if "://" in target or target.startswith("mailto:"):
                continue
            if not file.exists() or (anchor and anchor not in anchors(file)):
                broken.append((document.name, target))
    assert broken == []


def test_every_named_path_exists() -> None:
    named: dict[str, str] = {}
    for document in PAGES:
        text = document.read_text(encoding="utf-8")
        created = set(re.findall(r"^(?:Create `|cp \S+ )([\w./-]+)", text, re.MULTILINE))
        paths = {*re.findall(rf"`((?:{ROOTS})/[\w./*-]+)`", text_without_code_blocks(document))} - created
        named |= dict.fromkeys(paths, document.name)
    assert {path: page for path, page in named.items() if not any(CODE.glob(path.rstrip("/")))} == {}


def test_the_architecture_names_every_package() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    packages = {f"`annotation/{file.parent.name}`" for file in CODE.glob("annotation/*/__init__.py")}
    assert {package for package in packages if package not in text} == {"`annotation/migrations`"}


def test_the_architecture_draws_the_layers_of_the_import_contract() -> None:
    text = ARCHITECTURE.read_text(encoding="utf-8")
    drawing = text.partition("```mermaid\n")[2].partition("```")[0]
    groups = dict(re.findall(r"^  subgraph (\w+) .*\n(.*)\n  end$", drawing, re.MULTILINE))
    chain = dict.fromkeys(re.findall(r"\w+", "".join(re.findall(r"^.*-->.*$", drawing, re.MULTILINE))))
    drawn = [set(re.findall(r"\w+", groups.get(name, name))) for name in chain]

    project = tomllib.loads((CODE / "pyproject.toml").read_text(encoding="utf-8"))
    packages, tasks, *_ = project["tool"]["importlinter"]["contracts"]
    layers = [set(layer.split(" | ")) for layer in packages["layers"]]
    above_tasks = {module.removeprefix("annotation.") for module in tasks["forbidden_modules"]}
    layers.insert(sum(layer <= above_tasks for layer in layers), {"tasks"})
    assert drawn == layers


def test_every_make_target_in_the_documentation_exists() -> None:
    makefile = (CODE / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = {name for page in PAGES for name in re.findall(r"`make ([a-z-]+)", page.read_text(encoding="utf-8"))}
    assert named <= targets


def test_every_picture_is_made_by_the_command_is_shown_and_is_small() -> None:
    pictures = sorted((CODE / "docs" / "pictures").iterdir())
    script = (CODE / "scripts" / "screenshots.py").read_text(encoding="utf-8")
    made = re.findall(r'take\(\s*browser,\s*"([\w-]+)"', script)
    assert [picture.name for picture in pictures] == sorted(f"{name}.png" for name in made)
    texts = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert [picture.name for picture in pictures if f"pictures/{picture.name}" not in texts] == []
    assert [picture.name for picture in pictures if picture.stat().st_size > 200_000] == []
