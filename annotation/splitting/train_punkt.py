"""Train Punkt's English parameters from Python's own documentation: `python -m annotation.splitting.train_punkt`.

NLTK distributes its own tables as a download; we neither download nor unpickle. The help topics and the docstrings of
the standard library are about a megabyte of edited English with the abbreviations of technical prose, the style of
responses. The parameters are one sorted text file, so that a new training shows as a diff.
"""

import argparse
import ast
import inspect
import pydoc_data.topics
import re
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from nltk.tokenize.punkt import PunktTrainer

from annotation.splitting.punkt import PARAMETERS, dump

_NOT_OURS = {"site-packages", "dist-packages", "test", "tests", "lib2to3", "idlelib", "turtledemo"}
_MARKUP = re.compile(r":[a-z:]+:`~?([^`<]*)[^`]*`|[`*]{1,2}")
_PROSE = re.compile(r"[A-Za-z(\"'][^\n]*(?:\n[^\s>.\-+*|=][^\n]*)*")


def help_topics() -> Iterator[str]:
    """Yield the text of Python's help topics, in order of their names."""
    for _, topic in sorted(pydoc_data.topics.topics.items()):
        yield topic


def docstrings(folder: Path) -> Iterator[str]:
    """Yield docstrings in `folder`, without installed packages and tests."""
    holders = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    for path in sorted(folder.rglob("*.py")):
        if _NOT_OURS & set(path.relative_to(folder).parts):
            continue
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, holders) and (text := ast.get_docstring(node)):
                yield text


def prose(text: str) -> Iterator[str]:
    """Yield paragraphs of running text: at least one sentence, few signs of code."""
    for paragraph in re.split(r"\n\s*\n", inspect.cleandoc(text)):
        plain = _MARKUP.sub(r"\1", inspect.cleandoc(paragraph))
        letters = sum(c.isalpha() or c.isspace() for c in plain)
        if _PROSE.fullmatch(plain) and plain.count(" ") >= 6 and letters >= 0.9 * len(plain):
            yield " ".join(plain.split())


def corpus() -> str:
    """Return all training prose, one paragraph a line."""
    library = Path(sysconfig.get_path("stdlib"))
    texts = [*help_topics(), *docstrings(library)]
    return "\n".join(paragraph for text in texts for paragraph in prose(text))


def main(argv: list[str] | None = None) -> int:
    """Write the parameter file, or fail with argparse's message."""
    parser = argparse.ArgumentParser(description="Train Punkt on the standard library's English prose.")
    parser.add_argument("--output", type=Path, default=PARAMETERS, help="where to write (default: %(default)s)")
    options = parser.parse_args(argv)
    text = corpus()
    trainer = PunktTrainer()
    trainer.ABBREV_BACKOFF = 0  # no abbreviations from only a few sentences
    trainer.ABBREV = 2.0  # stricter than the default of 0.3: "tie" and "ob" are words
    trainer.train(text)
    options.output.write_text(dump(trainer.get_params()), encoding="utf-8")
    print(f"{len(text):,} characters of prose -> {options.output}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
