"""Published annotations as ratings: a data set's files, read a second time for the annotators' labels.

A format is a reader that yields rows in the form of `import_ratings`, and an entry in `ANNOTATIONS`.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..protocols import Protocol
from .annotation_tools.tasks import NO_RESULT
from .annotator_mapping import published_rater_name
from .expertqa import read_expertqa
from .expertqa_labels import PROTOCOL, answers_of
from .input_files import FileReader
from .lfqa_ratings import PROTOCOL as PAIRWISE
from .lfqa_ratings import read_lfqa_ratings
from .problems import BadRecord, Problems, echo
from .records import SourcePrompt, SourceResponse
from .tabular_files import Row

LeftOut = Counter[str]
WITHOUT_RESPONSE = "annotation without a response"


@dataclass(frozen=True)
class Annotations:
    """The reader of one format's annotations, and the protocol whose questions they answer."""

    protocol: str
    read: Callable[[FileReader, Problems, LeftOut], Iterator[Row]]

    def misfit(self, protocol: Protocol) -> str:
        """Return why the annotations do not fit this protocol; "" if they do."""
        return "" if protocol.slug == self.protocol else f"they belong to protocol {self.protocol!r}"


def expertqa_ratings(file_reader: FileReader, problems: Problems, left_out: LeftOut) -> Iterator[Row]:
    """Yield one row per annotated claim, with a pseudonym of its annotator."""
    first_answers: dict[str, tuple[str, str]] = {}
    for prompt in read_expertqa(file_reader, problems):
        responses = prompt.responses if isinstance(prompt, SourcePrompt) else ()
        if not responses:
            left_out[WITHOUT_RESPONSE] += 1
        for response in responses:
            fingerprint, location = first_answers.setdefault(response.key, (response.fingerprint(), response.location))
            if fingerprint != response.fingerprint():
                message = (
                    f"the answer of {echo(response.system)} occurs twice and differs from the first, in {location}"
                )
                problems.add(response.location, message)
            elif location != response.location:
                left_out["identical row"] += 1
            else:
                yield from _rows(response, problems, left_out)


def _rows(response: SourceResponse, problems: Problems, left_out: LeftOut) -> Iterator[Row]:
    published = response.metadata["published"]
    answer, claims = published["answer"], published["claims"]
    if not claims:
        left_out[NO_RESULT] += 1
    rater = published_rater_name(answer.get("annotator_id") or published["row"].get("annotator_id") or "unknown")
    for position, (item, claim) in enumerate(zip(response.items or (), claims, strict=True)):
        try:
            answers = answers_of(claim, answer if position == len(claims) - 1 else None)
        except BadRecord as broken:
            problems.add(response.location, f"claim {position + 1}: {broken}")
            continue
        if not answers:
            left_out["claim without labels"] += 1
            continue
        named = {"response": response.key, "unit": item.unit, "item": position, "text": item.text_in(response.text)}
        yield Row(response.location, {**named, "rater": rater, "answers": answers})


ANNOTATIONS: dict[str, Annotations] = {
    "expertqa": Annotations(PROTOCOL, expertqa_ratings),
    "lfqa_eval": Annotations(PAIRWISE, read_lfqa_ratings),
}
