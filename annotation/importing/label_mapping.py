"""Label mappings: the answer of each label of another tool.

A mapping names labels by field, as a column mapping names columns: `QUESTION.OPTION` for the labels that mean an
option, `QUESTION` for a written text, `comment` for one that is the rating's comment, `leave_out` for labels without a
meaning here. A label is written `control:label`, or `label` for that label of every control, or `control` for all its
labels, as written texts are. Where a control with written texts and a label of another control have one name, it is the
label in `QUESTION.OPTION`, and the control elsewhere. The empty label stands for sentences that an annotator left
without a label.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ..jobs import PROBLEMS_SHOWN, Refused
from ..protocols import Protocol
from ..protocols.loading import MAX_OPTIONS
from .annotation_tools.tasks import JUDGE, Label, Task
from .column_mapping import check_mapping
from .problems import echo, plain_name

COMMENT, LEAVE_OUT = "comment", "leave_out"
UNLABELED = ""
MAX_LABELS = 10_000  # different labels of a project
Answer = tuple[str, str]  # question and option; a question with a written answer has the option ""


@dataclass
class FoundLabels:
    """The labels of a project's tasks: how often each occurs, by control and value; a written text has the value ""."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    texts: set[str] = field(default_factory=set)
    spans: set[str] = field(default_factory=set)
    annotations: int = 0
    annotators: Counter[str] = field(default_factory=Counter)  # annotations of each person
    models: Counter[str] = field(default_factory=Counter)
    people: dict[int, set[str]] = field(default_factory=dict)  # by task; some tools have a record for each person

    @property
    def raters(self) -> int:
        """Return the number of people who annotated the task with the most of them."""
        return max(map(len, self.people.values()), default=0)

    def take(self, task: Task) -> None:
        """Count the labels of one task. Raise Refused for more different ones than any project has."""
        people = {annotation.rater for annotation in task.annotations if annotation.role != JUDGE}
        self.annotations += len(task.annotations)
        for annotation in task.annotations:
            (self.models if annotation.role == JUDGE else self.annotators)[annotation.rater] += 1
        key = hash(task.response_id or json.dumps(task.row.values, sort_keys=True, default=str))
        self.people.setdefault(key, set()).update(people)
        for label in (label for annotation in task.annotations for label in annotation.labels):
            self.counts[label.control, "" if label.is_text else label.value] += 1
            (self.texts if label.is_text else self.spans if label.is_span else set()).add(label.control)
        if len(self.counts) > MAX_LABELS:
            message = f"there are more than {MAX_LABELS} different labels"
            raise Refused([f"{message}; are these texts? Export the project again"])

    def by_name(self) -> dict[str, tuple[Label, int]]:
        """Return the labels to map, by the first of their names, with how often each occurs: the values of a control
        with written texts are one."""
        labels: dict[str, tuple[Label, int]] = {}
        texts = self.text_controls()
        for (control, value), n in self.counts.items():
            label = Label(control, value, is_text=control in texts)
            name = control if label.is_text else f"{control}:{value}"
            before, count = labels.get(name, (label, 0))
            if before.control != control:
                raise Refused([f"two labels are written {echo(name)}; give control {echo(control)} another name"])
            labels[name] = label, count + n
        return labels

    def mapping(self, by_field: Mapping[str, tuple[str, ...]]) -> "LabelMapping":
        """Return the mapping of these labels by field."""
        texts = self.text_controls()
        return LabelMapping(by_field, texts, frozenset(value for name, value in self.counts if name not in texts))

    def as_json(self) -> dict[str, Any]:
        """Return all but the people by task, in the order of the files, as the result of a job."""
        return {
            "labels": [[control, value, n] for (control, value), n in self.counts.items()],
            "texts": sorted(self.texts),
            "spans": sorted(self.spans),
            "annotators": [[name, n] for name, n in self.annotators.items()],
            "models": [[name, n] for name, n in self.models.items()],
        }

    def text_controls(self) -> frozenset[str]:
        """Return the controls with written texts: the tool says so, or there are more values than options may be."""
        values = Counter(control for control, _value in self.counts)
        return frozenset(control for control, n in values.items() if control in self.texts or n >= MAX_OPTIONS)

    def values_of(self, control: str) -> list[str]:
        """Return the labels of a control: numbers by size, others in the order in which they first occur."""
        values = [value for name, value in self.counts if name == control]
        try:
            return sorted(values, key=float)
        except ValueError:
            return values


def found_labels_from(result: Mapping[str, Any]) -> FoundLabels:
    """Return the labels in the result of a job."""
    return FoundLabels(
        counts=Counter({(control, value): n for control, value, n in result["labels"]}),
        texts=set(result["texts"]),
        spans=set(result["spans"]),
        annotators=Counter(dict(result["annotators"])),
        models=Counter(dict(result["models"])),
    )


@dataclass(frozen=True)
class LabelMapping:
    """Labels by field, as in the module's description. `texts` are the controls with written texts; `values` the labels
    of the other controls."""

    by_field: Mapping[str, tuple[str, ...]]
    texts: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()

    def fields_of(self, label: Label) -> list[str]:
        """Return the fields that a label is mapped to; none for an unknown label."""
        return [field for field, names in self.by_field.items() if any(self._is(label, field, name) for name in names)]

    def _is(self, label: Label, field: str, name: str) -> bool:
        """Whether `name`, which is mapped to the field, is this label's."""
        if name == UNLABELED:
            return False
        if label.is_text or label.control in self.texts:
            is_of_value = "." in field and name in self.values
            return name == label.control and not is_of_value
        is_of_text = "." not in field and name in self.texts
        return name in (f"{label.control}:{label.value}", label.control) or (name == label.value and not is_of_text)

    @property
    def unlabeled(self) -> list[str]:
        """Return the fields of sentences without a label."""
        return [field for field, labels in self.by_field.items() if UNLABELED in labels]

    def as_json(self) -> dict[str, list[str]]:
        """Return the mapping as stored with an import and written to a mapping file."""
        return {field: list(labels) for field, labels in self.by_field.items()}


def labels_from(mapping: Any) -> LabelMapping:
    """Return the mapping in `mapping`: fields with a label or a list of labels each. Raise Refused."""
    if not isinstance(mapping, dict):
        raise Refused(["the label mapping must be an object that names labels by field"])
    check_mapping(mapping)
    by_field: dict[str, tuple[str, ...]] = {}
    for name, value in mapping.items():
        labels = value if isinstance(value, list) else [value]
        if not all(isinstance(label, str) for label in labels):
            raise Refused([f"field '{name}' of the label mapping must be a label, or a list of labels"])
        by_field[name] = tuple(dict.fromkeys(labels))
    return LabelMapping(by_field)


def labels_of_arguments(pairs: Iterable[str]) -> dict[str, list[str]]:
    """Return the mapping in `field=label` texts of a command line. Raise Refused."""
    by_field: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, label = pair.partition("=")
        if not (name and equals):
            raise Refused([f"--label {pair}: write --label QUESTION.OPTION=LABEL"])
        by_field.setdefault(name, []).append(label)
    return by_field


def complete_labels(
    chosen_mapping: LabelMapping | None, labels_of_files: FoundLabels, protocol: Protocol
) -> LabelMapping:
    """Return the mapping with a field for every label of the files: the given one, else the option, or the written
    question, with the label's name. Raise Refused for unknown fields and for labels without a field."""
    mapping = labels_of_files.mapping(chosen_mapping.by_field if chosen_mapping else {})
    problems = [
        f"the label mapping names an unknown field {echo(name)} of protocol {protocol.slug}"
        for name in mapping.by_field
        if name not in fields_of_protocol(protocol)
    ]
    by_field = {name: list(labels) for name, labels in mapping.by_field.items()}
    for name, (label, n) in labels_of_files.by_name().items():
        if mapping.fields_of(label):
            continue
        if guess := guess_field(label, protocol):
            by_field[guess] = [*by_field.get(guess, []), name]
        else:
            problems.append(f"label {echo(name)} ({n} times) has no field; map it (--label FIELD=LABEL)")
    if problems:
        fields = f"the fields of protocol {protocol.slug} are: {', '.join(fields_of_protocol(protocol))}"
        raise Refused([*problems[:PROBLEMS_SHOWN], fields])
    return replace(mapping, by_field={name: tuple(labels) for name, labels in by_field.items()})


def fields_of_protocol(protocol: Protocol) -> list[str]:
    """Return the fields that a label can be mapped to."""
    options = [f"{q.key}.{option.key}" for q in protocol.questions for option in q.options]
    return [*options, *(q.key for q in protocol.questions if not q.options), COMMENT, LEAVE_OUT]


def guess_field(label: Label, protocol: Protocol) -> str:
    """Return the one field with the label's name, preferring the question with the control's name; "" otherwise."""
    if label.is_text:
        written = (q.key for q in protocol.questions if not q.options)
        return next((key for key in (*written, COMMENT) if plain_name(key) == plain_name(label.control)), "")
    fits = [
        (plain_name(question.key) == plain_name(label.control), f"{question.key}.{option.key}")
        for question in protocol.questions
        for option in question.options
        if plain_name(label.value) in (plain_name(option.key), plain_name(option.label))
    ]
    best = [name for is_control, name in fits if is_control] or [name for _is_control, name in fits]
    return best[0] if len(best) == 1 else ""
