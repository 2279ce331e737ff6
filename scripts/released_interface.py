"""Compare the API with the routes, methods and required fields of the last release; exit 1 if one is gone.

    manage.py spectacular --file SCHEMA && released_interface.py SCHEMA [--write]

`--write` stores what the API has now: a release does that.
"""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

RELEASED = Path(__file__).parents[1] / "tests" / "api" / "released_interface.txt"
"""A line for each operation, `METHOD PATH: request component, status with component …`, and a paragraph for each
component, `component: its required fields`. `!` marks a component that requests send: one more required field breaks
the programs that send it.
"""


def interface(schema: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return what programs rely on: parts by operation, and required fields by component."""
    operations: dict[str, list[str]] = {}
    requests = set()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            sent = list(_components(operation.get("requestBody", {})))
            requests.update(sent)
            answers = {code: each for code, each in operation["responses"].items() if code < "300"}
            answered = [" ".join([code, *_components(each)]) for code, each in answers.items()]
            operations[f"{method.upper()} {path}"] = [f"!{name}" for name in sent] + answered
    components = {
        "!" * (name in requests) + name: sorted(each.get("required", ()))
        for name, each in schema["components"]["schemas"].items()
        if "required" in each or name in requests
    }
    return operations | components


def _components(description: Any) -> Iterator[str]:
    """Yield the components that a request or a response names."""
    if isinstance(description, Mapping):
        if "$ref" in description:
            yield description["$ref"].rpartition("/")[2]
        description = list(description.values())
    if isinstance(description, list):
        for each in description:
            yield from _components(each)


def written(schema: Mapping[str, Any]) -> str:
    lines = (f"{name}: {', '.join(parts)}" for name, parts in interface(schema).items())
    return "".join(textwrap.fill(line, 120, subsequent_indent="  ", break_on_hyphens=False) + "\n" for line in lines)


def gone(schema: Mapping[str, Any], released: str) -> list[str]:
    """Return what the API no longer has, and what its requests newly require."""
    now = interface(schema)
    differences = []
    for line in released.replace("\n  ", " ").splitlines():
        name, _, listed = line.partition(":")
        before, after = set(listed.strip().split(", ")) - {""}, set(now.get(name, ()))
        if name not in now:
            differences.append(f"{name} is gone")
        differences += [f"{name}: {part} is gone" for part in sorted(before - after) if name in now]
        if name.startswith("!"):
            differences += [f"{name}: {part} is required now" for part in sorted(after - before)]
    return differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("schema", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    schema = yaml.load(options.schema.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    if options.write:
        RELEASED.write_text(written(schema), encoding="utf-8")
    differences = gone(schema, RELEASED.read_text(encoding="utf-8"))
    print("\n".join(differences), end="\n" * bool(differences))
    return bool(differences)


if __name__ == "__main__":
    sys.exit(main())
