"""The Methods of a paper in five paragraphs: the procedure in plain words with the numbers of this report.

They describe this report only: a method that no interval used is not mentioned, and what an older report does not
state is omitted. The provenance record of a frozen report adds how the ratings were made, and the analysis plan.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from ..provenance_record import Provenance
from ..report import Report
from ..sections.fact_qa.tables import fact_qa_methods
from ..text.names import Names
from .agreement import agreement_sentences
from .design import design_sentences, measures_sentences
from .inference import inference_sentences
from .references import Reference, cited
from .sensitivity import sensitivity_sentences

NO_RATINGS = "No ratings count yet: the ratings of a response count when its rater has finished it."


@dataclass(frozen=True)
class Paragraph:
    """One paragraph with its heading, as plain text."""

    title: str
    text: str


@dataclass(frozen=True)
class Methods:
    """The paragraphs, without empty ones."""

    paragraphs: list[Paragraph]

    @property
    def text(self) -> str:
        """All paragraphs as plain text to paste, each after its heading."""
        return "\n\n".join(f"{paragraph.title}. {paragraph.text}" for paragraph in self.paragraphs)

    @property
    def references(self) -> list[Reference]:
        """The publications that the paragraphs cite."""
        return cited(self.text)


def methods_of(report: Report, names: Names, record: Provenance | None = None) -> Methods:
    """Return the Methods of a report; `record` is the provenance record of a frozen one."""
    sentences: dict[str, Iterable[str]] = {"Design": [NO_RATINGS], "Inference": [fact_qa_methods(report)]}
    if report.data.ratings:
        sentences = {
            "Design": design_sentences(report, names, record),
            "Measures": measures_sentences(report, names),
            "Inference": inference_sentences(report, names, record),
            "Agreement": agreement_sentences(report, names),
            "Sensitivity": sensitivity_sentences(report, names),
        }
    texts = {title: " ".join(filter(None, each)) for title, each in sentences.items()}
    return Methods([Paragraph(title, text) for title, text in texts.items() if text])
