"""A protocol made of the labels of another tool: a question for each control, an option for each label.

Its keys are the names in small letters; its measures are the shares of each label. Labels of spans make it a protocol
about sentences, with an option for sentences without a label.
"""

import json
import re
from collections.abc import Iterable, Iterator

from ..jobs import Refused
from ..protocols.figure_definitions import MAX_MEASURES
from ..protocols.loading import MAX_OPTIONS, MAX_QUESTIONS, TAKEN_SHORTCUTS
from .label_mapping import UNLABELED, FoundLabels, LabelMapping
from .problems import plain_name

NO_LABEL = "No label"
OTHER = "Another label"  # of a control of which one label was used
_KEYS = "123456789" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in TAKEN_SHORTCUTS)
_KEY_LENGTH, _LABEL_LENGTH = 40, 80


class _Unique:
    """Gives each text a form of its own: shortened, and with a number where another one has this form."""

    def __init__(self, longest: int, between: str = "_"):
        self._longest, self._between = longest, between
        self._taken: set[str] = set()

    def form_of(self, text: str) -> str:
        form, n = text[: self._longest], 1
        while form in self._taken:
            n += 1
            ending = f"{self._between}{n}"
            form = text[: self._longest - len(ending)] + ending
        self._taken.add(form)
        return form


def protocol_of_labels(slug: str, title: str, found: FoundLabels) -> tuple[str, LabelMapping]:
    """Return the protocol as TOML, and the mapping of the labels to it. Raise Refused for too many labels."""
    controls = list(dict.fromkeys(control for control, _value in found.counts))
    texts = found.text_controls()
    if not controls:
        raise Refused(["there is no label in the files; choose a protocol (--protocol SLUG)"])
    sizes = [len(found.values_of(each)) for each in controls[: MAX_QUESTIONS + 1] if each not in texts]
    most = max(sizes, default=0) if len(controls) <= MAX_QUESTIONS else 0
    if len(controls) > MAX_QUESTIONS or most >= MAX_OPTIONS or sum(sizes) > MAX_MEASURES:
        message = f"no protocol can be made of {len(controls)} controls with up to {most} labels each"
        raise Refused([f"{message}; write a protocol, load it and name it (--protocol SLUG)"])
    keys = dict(zip(controls, _unique_keys(controls, "question"), strict=True))
    unit = "sentence" if found.spans else "response"
    head = {"slug": slug, "version": "1", "title": title, "unit": unit, "intro": ""}
    lines = [f"{name} = {_quoted(value)}" for name, value in head.items()]
    lines.append("imports_may_have_gaps = true")  # annotators may skip controls
    measures: list[str] = []
    measure_keys = _Unique(_KEY_LENGTH)
    by_field: dict[str, tuple[str, ...]] = {}
    shortcuts = iter(_KEYS)
    for control in controls:
        is_once = bool(found.spans) and control not in found.spans
        lines += ["", "[[questions]]", f'key = "{keys[control]}"', f"text = {_quoted(control or keys[control])}"]
        lines += ["once = true"] if is_once else []
        if control in texts:
            lines += ['kind = "text"', "required = false"]
            by_field[keys[control]] = (control,)
            continue
        lines += ['kind = "choice"', *(["required = false"] if is_once else [])]
        values = found.values_of(control)
        further = [NO_LABEL] if control in found.spans else []
        further += [OTHER] if len([*values, *further]) == 1 else []
        labels = _Unique(_LABEL_LENGTH, " ")
        options = [
            (key, labels.form_of(_one_line(name)))
            for key, name in zip(_unique_keys([*values, *further], "option"), [*values, *further], strict=True)
        ]
        for key, label in options:
            lines += ["", "[[questions.options]]", f'key = "{key}"', f"label = {_quoted(label)}"]
            lines += [f'shortcut = "{shortcut}"'] if (shortcut := next(shortcuts, "")) else []
        names = [*(f"{control}:{value}" for value in values), *([UNLABELED] if control in found.spans else [])]
        by_field |= {f"{keys[control]}.{key}": (name,) for (key, _label), name in zip(options, names, strict=False)}
        measures += _measures(keys[control], options, len(values), measure_keys)
    return "\n".join([*lines, *measures]) + "\n", found.mapping(by_field)


def _measures(question: str, options: list[tuple[str, str]], measured: int, keys: _Unique) -> Iterator[str]:
    """Yield the shares of the first `measured` options among all of them."""
    among = json.dumps([key for key, _label in options])
    for key, label in options[:measured]:
        yield from ["", "[[measures]]", f'key = "{keys.form_of(f"{question}_{key}")}"', f"label = {_quoted(label)}"]
        yield from [f'counts = {{ {question} = ["{key}"] }}', f"among = {{ {question} = {among} }}"]
        yield 'better = "neither"'


def _unique_keys(names: Iterable[str], default: str) -> list[str]:
    """Return a key for each name: small letters, digits and underscores, beginning with a letter."""
    keys = _Unique(_KEY_LENGTH)
    plain = [re.sub(r"[^a-z0-9]+", "_", plain_name(name)).strip("_")[:30] or default for name in names]
    return [keys.form_of(key if key[0].isalpha() else f"{default}_{key}") for key in plain]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _quoted(text: str) -> str:
    """Return a TOML string on one line."""
    return json.dumps(_one_line(text)[:200], ensure_ascii=False).replace("\x7f", "\\u007f")
