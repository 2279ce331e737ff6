"""Write the client's records from the API schema: generate_records.py [SCHEMA] [--check].

A record is a component of the schema that a module of the client names as `records.NAME`, or that a field of one has.
Without SCHEMA (a file that `manage.py spectacular` wrote), the schema of this checkout is built. With `--check`,
nothing is written: the exit status is 1 where the committed module differs.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

Schema = Mapping[str, Any]
HERE = Path(__file__).parent
PACKAGE = HERE / "src" / "factuary"
HEAD = '''"""The records of the API, generated from its schema by clients/python/generate_records.py: do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
'''
KINDS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}


def main() -> int:
    """Write the records, or compare them, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("schema", nargs="?", type=Path)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    text, module = module_of(read_schema(options.schema)["components"]["schemas"]), PACKAGE / "records.py"
    if not options.check:
        module.write_text(text, encoding="utf-8")
    elif module.read_text(encoding="utf-8") != text:
        print("The API has changed: run `.venv/bin/python clients/python/generate_records.py` and commit records.py.")
        return 1
    return 0


def read_schema(path: Path | None) -> dict[str, Any]:
    """Return the schema in a file, or that of the code."""
    with tempfile.TemporaryDirectory() as folder:
        if path is None:
            path = Path(folder) / "openapi.yaml"
            command = [sys.executable, "manage.py", "spectacular", "--file", str(path)]
            environment = os.environ | {"FACTUARY_RUN_AS": "nothing"}
            subprocess.run(command, cwd=HERE.parents[1], env=environment, check=True)  # noqa: S603 -- own program
        schema: dict[str, Any] = yaml.load(path.read_bytes(), yaml.CSafeLoader)
        return schema


def module_of(components: Mapping[str, Schema]) -> str:
    """Return the text of the module."""
    sources = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.glob("*.py"))
    blocks: dict[str, str] = {}
    for name in sorted(set(re.findall(r"\brecords\.([A-Z]\w+)", sources))):
        add_record(name, components, blocks)
    return HEAD + "".join(f"\n\n{block}\n" for block in blocks.values())


def add_record(name: str, components: Mapping[str, Schema], blocks: dict[str, str]) -> None:
    """Add the text of a record to the blocks, after those of the records in its fields."""
    if name not in blocks:
        for reference in references(components[name]):
            if "properties" in components[reference]:
                add_record(reference, components, blocks)
        blocks[name] = "\n".join(class_of(name, components))


def references(schema: Any) -> Iterator[str]:
    """Yield the names of the components that a schema refers to."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].rpartition("/")[2]
        for part in schema.values():
            yield from references(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from references(part)


def class_of(name: str, components: Mapping[str, Schema]) -> Iterator[str]:
    """Yield the lines of a record. A field that an answer may lack is None then."""
    component = components[name]
    yield "@dataclass(frozen=True, kw_only=True)"
    yield f"class {name}:"
    if description := component.get("description"):
        yield from docstring(description)
        yield ""
    for field, schema in component["properties"].items():
        kind = kind_of(schema, components)
        if field not in component.get("required", ()):
            kind = f"{kind.removesuffix(' | None')} | None = None"
        yield f"    {field}: {kind}"
        if description := schema.get("description", "").partition("\n\n")[0]:  # what follows lists the choices
            yield from docstring(description)


def docstring(text: str) -> list[str]:
    lines = textwrap.wrap(f'"""{text}', 112, break_long_words=False, break_on_hyphens=False)
    end = ['"""'] if len(lines) > 1 else []
    if not end:
        lines[0] += '"""'
    return [f"    {line}" for line in [*lines, *end]]


def kind_of(schema: Schema, components: Mapping[str, Schema]) -> str:
    """Return the type of a value as Python code. Choices are texts: a newer site may have more of them."""
    [choice, *_] = schema.get("allOf") or schema.get("oneOf") or [schema]
    if "$ref" in choice:
        name = choice["$ref"].rpartition("/")[2]
        kind = name if "properties" in components[name] else "str"
    elif choice.get("type") == "array":
        kind = f"tuple[{kind_of(choice['items'], components)}, ...]"
    elif choice.get("type") == "object":
        members = choice.get("additionalProperties")
        kind = f"Mapping[str, {kind_of(members, components) if isinstance(members, dict) and members else 'Any'}]"
    elif choice.get("type") is None:
        return "Any"
    else:
        kind = "datetime" if choice.get("format") == "date-time" else KINDS[choice["type"]]
    return f"{kind} | None" if schema.get("nullable") else kind


if __name__ == "__main__":
    sys.exit(main())
