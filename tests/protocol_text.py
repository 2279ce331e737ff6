"""Protocol files put together in a few words, for tests whose subject is not how such a file is written."""

import json


def protocol_text(
    slug: str, *questions: str, counts: dict, among: dict | None = None, unit: str = "sentence", **head: str
) -> str:
    """Return a protocol of these questions with one measure, named after the first question that it counts."""
    key = next(iter(counts))
    measure = {"key": key, "label": _words(key), "counts": counts} | ({"among": among} if among else {})
    top = _lines({"slug": slug, "version": "1", "title": _words(slug), "unit": unit, **head})
    return "\n".join([top, *questions, _table("measures", measure)])


def choice(key: str, text: str, options: dict[str, str], shortcuts: str = "", **more: object) -> str:
    """Return a question with an option for each key and label, and shortcuts if they are given."""
    keys = [{"shortcut": letter} for letter in shortcuts] or [{} for _ in options]
    tables = [
        _table("questions.options", {"key": option, "label": label, **shortcut})
        for (option, label), shortcut in zip(options.items(), keys, strict=True)
    ]
    return "\n".join([question(key, text, "choice", **more), *tables])


def question(key: str, text: str, kind: str = "text", **more: object) -> str:
    """Return a question of another kind; `more` are its further lines."""
    return _table("questions", {"key": key, "text": text, "kind": kind, **more})


def _words(key: str) -> str:
    return key.replace("-", " ").replace("_", " ").capitalize()


def _table(name: str, values: dict[str, object]) -> str:
    return f"[[{name}]]\n" + _lines(values)


def _lines(values: dict[str, object]) -> str:
    return "".join(f"{key} = {_value(value)}\n" for key, value in values.items())


def _value(value: object) -> str:
    """Format a value as TOML; strings, numbers, lists and booleans are written as in JSON."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {json.dumps(inner)}" for key, inner in value.items()) + " }"
    return json.dumps(value, ensure_ascii=False)
