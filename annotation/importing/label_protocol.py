"""A protocol made of the labels of another tool: a question for each control, an option for each label.

Its keys are the names in small letters; its measures are the shares of each label. Labels of spans make it a protocol
about sentences, with an option for sentences without a label.
"""

import json
import re
from collections.abc import Iterable, Iterator

from django.utils.translation import gettext as _

from ..jobs import Refused
from ..protocols.loading import MAX_MEASURES, MAX_OPTIONS, MAX_QUESTIONS, TAKEN_SHORTCUTS
from .column_names import plain_name
from .label_mapping import UNLABELED, FoundLabels, LabelMapping

NO_LABEL = "No label"
OTHER = "Another label"  # of a control of which one label was used
_KEYS = "123456789" + "".join(key for key in "abcdefghijklmnopqrstuvwxyz" if key not in TAKEN_SHORTCUTS)


def protocol_of_labels(slug: str, title: str, found: FoundLabels) -> tuple[str, LabelMapping]:
    """Return the protocol as TOML, and the mapping of the labels to it. Raise Refused for too many labels."""
    controls = list(dict.fromkeys(control for control, _value in found.counts))
    keys = _unique_keys(controls, "question")
    unit = "sentence" if found.spans else "response"
    head = {"slug": slug, "version": "1", "title": title, "unit": unit, "intro": ""}
    lines = [f"{name} = {_quoted(value)}" for name, value in head.items()]
    lines.append("imports_may_have_gaps = true")  # annotators may skip controls
    measures: list[str] = []
    by_field: dict[str, tuple[str, ...]] = {}
    shortcuts = iter(_KEYS)
    for control in controls:
        is_once = bool(found.spans) and control not in found.spans
        lines += ["", "[[questions]]", f'key = "{keys[control]}"', f"text = {_quoted(control)}"]
        lines += ["once = true"] if is_once else []
        if found.is_text(control):
            lines += ['kind = "text"', "required = false"]
            by_field[keys[control]] = (control,)
            continue
        lines += ['kind = "choice"', *(["required = false"] if is_once else [])]
        values = [*found.values_of(control), *([UNLABELED] if control in found.spans else [])]
        names = [value or NO_LABEL for value in values]
        options = _unique_keys([*names, *([OTHER] if len(names) == 1 else [])], "option")
        by_field |= {f"{keys[control]}.{options[v or NO_LABEL]}": (f"{control}:{v}" if v else v,) for v in values}
        lines += _options(options, shortcuts)
        measures += _measures(keys[control], options)
    _check_size(found, controls, sum(line == "[[measures]]" for line in measures))
    return "\n".join([*lines, *measures]) + "\n", LabelMapping(by_field)


def _options(options: dict[str, str], shortcuts: Iterator[str]) -> Iterator[str]:
    for label, key in options.items():
        yield from ["", "[[questions.options]]", f'key = "{key}"', f"label = {_quoted(label)}"]
        if shortcut := next(shortcuts, ""):
            yield f'shortcut = "{shortcut}"'


def _measures(question: str, options: dict[str, str]) -> Iterator[str]:
    among = json.dumps(list(options.values()))
    for label, key in options.items():
        if label not in (NO_LABEL, OTHER):
            yield from ["", "[[measures]]", f'key = "{question}_{key}"', f"label = {_quoted(label)}"]
            yield from [f'counts = {{ {question} = ["{key}"] }}', f"among = {{ {question} = {among} }}"]
            yield 'better = "neither"'


def _check_size(found: FoundLabels, controls: list[str], measures: int) -> None:
    most = max((len(found.values_of(each)) for each in controls if not found.is_text(each)), default=0)
    if not controls:
        raise Refused([_("there is no label in the files; choose a protocol (--protocol SLUG)")])
    if len(controls) > MAX_QUESTIONS or most >= MAX_OPTIONS or measures > MAX_MEASURES:
        message = _(
            "no protocol can be made of %(controls)s controls with up to %(labels)s labels each; write a protocol, "
            "load it and name it (--protocol SLUG)"
        )
        raise Refused([message % {"controls": len(controls), "labels": most}])


def _unique_keys(names: Iterable[str], default: str) -> dict[str, str]:
    """Return a key for each name: small letters, digits and underscores, beginning with a letter."""
    keys: dict[str, str] = {}
    for name in names:
        key = re.sub(r"[^a-z0-9]+", "_", plain_name(name)).strip("_")[:30] or default
        key = key if key[0].isalpha() else f"{default}_{key}"
        same = sum(re.fullmatch(rf"{key}(_\d+)?", other) is not None for other in keys.values())
        keys[name] = f"{key}_{same + 1}" if same else key
    return keys


def _quoted(text: str) -> str:
    """Return a TOML string on one line."""
    return json.dumps(" ".join(text.split())[:200], ensure_ascii=False).replace("\x7f", "\\u007f")
