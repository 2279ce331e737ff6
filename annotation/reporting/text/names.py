"""Labels of questions, options, measures, metadata keys and tables."""

from dataclasses import dataclass

from ...i18n.protocol_translation import protocol_word
from ...protocols import Mean, Measure, Option, Protocol, Score
from ..report import Cell


@dataclass(frozen=True)
class Names:
    """Labels of questions, options and measures: those of the protocol, or the keys made readable."""

    protocol: Protocol | None

    @property
    def unit(self) -> str:
        """The unit of one rating."""
        return self.protocol.unit if self.protocol else "item"

    @property
    def system_head(self) -> str:
        """The head of the column of systems."""
        return "Pair of systems" if self.unit == "pair" else "System"

    @property
    def all_systems(self) -> str:
        """The label of the row of all systems together."""
        return "All pairs" if self.unit == "pair" else "All systems"

    @property
    def system_word(self) -> str:
        """The word for systems in the title of a breakdown."""
        return "pair of systems" if self.unit == "pair" else "system"

    @property
    def first_question(self) -> str:
        return self.protocol.first_measured_question.text if self.protocol else ""

    def measure(self, key: str) -> str:
        """Return the label of a measure, a mean or a score; no two have the same key."""
        measure = self._measures.get(key)
        return measure.label if measure else readable(key)

    def correlation(self, key: str) -> str:
        labels = (
            {correlation.key: correlation.label for correlation in self.protocol.correlations} if self.protocol else {}
        )
        return labels.get(key, readable(key))

    def better(self, key: str) -> str:
        """Return which values of a measure are better: `higher`, `lower` or `neither`."""
        measure = self._measures.get(key)
        return measure.better if measure else "neither"

    @property
    def _measures(self) -> dict[str, Measure | Mean | Score]:
        if self.protocol is None:
            return {}
        return {
            **{measure.key: measure for measure in self.protocol.measures},
            **{mean.key: mean for mean in self.protocol.means},
            **{score.key: score for score in self.protocol.scores},
        }

    def unmeasured(self) -> list[str]:
        """Return the assessed options of the first measured question that have no measure of their own; [] with two
        options, where one is the complement of the other.
        """
        if self.protocol is None:
            return []
        first = self.protocol.first_measured_question
        measured = {measure.counts[first.key] for measure in self.protocol.measures if first.key in measure.counts}
        left_out = self.protocol.left_out(first.key)
        assessed = [key for key in first.option_keys if key not in left_out]
        return [key for key in assessed if (key,) not in measured] if len(assessed) > 2 else []

    def question(self, key: str) -> str:
        """Return a question's key in readable form, where its text would be too long: Severity."""
        return protocol_word(self.protocol, readable(key)) if self.protocol else readable(key)

    def question_text(self, key: str) -> str:
        """Return the text of a question."""
        texts = {question.key: question.text for question in self.protocol.questions} if self.protocol else {}
        return texts.get(key, readable(key))

    def option(self, key: str) -> str:
        """Return the label of an option of the first measured question."""
        option = self._option(key)
        return option.label if option else readable(key)

    def checked_option(self, key: str) -> str:
        """Return the label of an option of a checked question, or "not asked"."""
        questions = self.protocol.checked_questions if self.protocol else ()
        options = [option for question in questions for option in question.options]
        labels = {option.key: option.label for option in reversed(options)}
        return labels.get(key, readable(key)) if key else "not asked"

    def option_of(self, question: str, key: str) -> str:
        """Return the label of an option of any question, or of a derived category."""
        asked_question = {q.key: q for q in self.protocol.questions}.get(question) if self.protocol else None
        labels = {option.key: option.label for option in asked_question.options} if asked_question else {}
        return labels.get(key) or ("Not accurate" if key == "not_accurate" else self.option(key))

    def tone(self, key: str) -> str:
        option = self._option(key)
        return option.tone if option else "neutral"

    def sign(self, key: str) -> str:
        option = self._option(key)
        return option.sign if option else ""

    def left_out(self) -> list[str]:
        """Return the labels of the options outside all proportions."""
        if self.protocol is None:
            return []
        first = self.protocol.first_measured_question
        return [first.option(key).label for key in self.protocol.left_out(first.key)]

    def _option(self, key: str) -> Option | None:
        options = self.protocol.first_measured_question.options if self.protocol else ()
        return {option.key: option for option in options}.get(key)


def readable(key: str) -> str:
    """Make a key readable: severely_inaccurate -> Severely inaccurate."""
    words = key.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def breakdown_label(key: str, names: Names | None = None) -> str:
    """Return system and question type for system × question_type. Keys of prompts need no `names`."""
    breakdown_names = {"system": (names or Names(None)).system_word, "rater": "rater", "week": "week"}
    parts = [breakdown_names.get(part, part.replace("_", " ")) for part in key.split(" × ")]
    joined = "and"
    return f" {joined} ".join(parts)


def label_columns(key: str, cell: Cell, names: Names) -> list[str]:
    """Return the heads of the columns that name the cells of a table, `cell` being one of them.

    The key of a table over metadata can be any text, so `cell` shows whether it is about a system.
    """
    heads = {"rater": "Rater", "week": "Week"}
    system = [names.system_head] if cell.system is not None else []
    breakdown_key = key.removeprefix("system × ") if system else key
    value = [heads.get(breakdown_key, readable(breakdown_key))] if cell.value is not None else []
    return system + value


def agreement_of(key: str, names: Names) -> str:
    """Return the label of an agreement: accurate_or_not -> Accurate or not."""
    derived = {"accurate_or_not": "Accurate or not", "severity_scale": "Severity scale"}
    return derived.get(key) or names.question(key)
