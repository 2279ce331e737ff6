"""A project's ratings as rows of ExpertQA, in the order in which the questions were loaded.

A response has a row for each of its raters. If a rating equals its annotator's published one, the row repeats the
published values, so null stays null and an empty list an empty list. If a rating differs or has another author, the row
has the rating's values and a pseudonym. A response without ratings in the project is written as published.
"""

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from django.db.models import Prefetch

from ..importing.annotator_mapping import published_rater_name
from ..importing.expertqa_labels import ANSWER as WHOLE
from ..importing.expertqa_labels import CLAIM as FIELDS_OF_CLAIM
from ..importing.expertqa_labels import PublishedResponse, PublishedRow, answers_of, published_fields
from ..models import Item, Project, Prompt, Response
from ..models.user_names import name_in_data
from ..pseudonyms import Pseudonyms
from ..rating.counting import counted_ratings

JSONObject = dict[str, object]
Answers = Mapping[int, Mapping[str, str]]
"""Position of a claim -> a rater's answers about it."""

CHUNK_SIZE = 200
ROW = ["question", "annotator_id", "answers", "metadata"]
ANSWER = ["answer_string", "attribution", "claims", "revised_answer_string", "usefulness", "annotation_time"]
CLAIM = ["claim_string", "evidence", "support", "reason_missing_support", "informativeness", "worthiness"]
CLAIM += ["correctness", "source_reliability", "revised_claim_string", "reliability", "revised_claim"]
CLAIM += ["revised_evidence"]
METADATA = ["question_type", "field", "specific_field"]
"""The order of fields in the published files, which JSONB does not keep; other fields are last, by name."""


def expertqa_lines(project: Project) -> Iterator[str]:
    """Yield one JSON object per response and rater of a project with the protocol `claim-attribution`."""
    claims = Item.objects.filter(unit=Item.Unit.CLAIM, retired_at=None).order_by("position")
    responses = Response.objects.order_by("pk").select_related("system").prefetch_related(Prefetch("items", claims))
    prompts = Prompt.objects.filter(dataset=project.dataset_id).order_by("pk")
    for prompt in prompts.prefetch_related(Prefetch("responses", responses)).iterator(chunk_size=CHUNK_SIZE):
        yield from map(json.dumps, _rows(project, prompt))


def _rows(project: Project, prompt: Prompt) -> Iterator[JSONObject]:
    # Responses loaded by `import_responses` have no claims.
    responses = [response for response in prompt.responses.all() if "published" in response.metadata]
    if not responses:
        published: PublishedRow = prompt.annotations[0]["row"] if prompt.annotations else {"metadata": prompt.metadata}
        yield _row(prompt, published, {}, published.get("annotator_id"))
    ratings: dict[int, dict[str, dict[int, Mapping[str, str]]]] = defaultdict(lambda: defaultdict(dict))
    rated = counted_ratings(project).filter(item__response__in=responses, item__retired_at=None)
    rated = rated.annotate(name=name_in_data("rater__")).order_by("name")
    for key, rater, position, answers in rated.values_list("item__response", "name", "item__position", "answers"):
        ratings[key][rater][position] = answers
    together: dict[object, tuple[PublishedRow, JSONObject, str | None]] = {}  # published with several systems' answers
    for response in responses:
        published = response.metadata["published"]["row"]
        for annotator, answer in _answers(project, response, ratings[response.pk]):
            if systems := published.get("systems"):
                _, answers_of_systems, _ = together.setdefault((annotator, *systems), (published, {}, annotator))
                answers_of_systems[response.system.name] = answer
            else:
                yield _row(prompt, published, {response.system.name: answer}, annotator)
    yield from (_row(prompt, *parts) for parts in together.values())


def _row(prompt: Prompt, published: PublishedRow, answers: JSONObject, annotator: str | None) -> JSONObject:
    row: JSONObject = {**published, "question": prompt.text, "answers": answers}
    row.pop("systems", None)
    if "annotator_id" in row:
        row["annotator_id"] = annotator
    row["metadata"] = _sorted_fields(published["metadata"], METADATA)
    return _sorted_fields(row, ROW)


def _answers(
    project: Project, response: Response, ratings: Mapping[str, Answers]
) -> Iterator[tuple[str | None, JSONObject]]:
    """Yield annotator and content of each answer in the rows of a response: with published labels, if the ratings equal
    them.
    """
    published: PublishedResponse = response.metadata["published"]
    author = published["row"].get("annotator_id")
    own = published["answer"].get("annotator_id") or author
    if not ratings:
        yield author, _answer(response, {}, published["answer"], published["claims"])
    for rater, answers_by_position in ratings.items():
        is_own = rater == published_rater_name(own or "unknown")
        annotator = own if is_own else Pseudonyms(project).pseudonym(rater)
        all_answers = (pair for answers in answers_by_position.values() for pair in answers.items())
        whole = {key: text for key, text in all_answers if key in WHOLE.values()}
        claims: list[Mapping[str, object]] = []
        for position, claim in enumerate(published["claims"]):
            answers = answers_by_position.get(position, {})
            of_claim = {key: text for key, text in answers.items() if key not in whole}
            is_same = is_own and answers_of(claim, None) == of_claim
            claims.append(claim if is_same else {**claim, **published_fields(answers, FIELDS_OF_CLAIM)})
        labels: Mapping[str, object] = published["answer"]
        if not is_own or not claims or whole != answers_of({}, labels):
            labels = {**labels, **published_fields(whole, WHOLE), "annotator_id": annotator}
        yield (author if is_own else annotator), _answer(response, answers_by_position, labels, claims)


def _answer(
    response: Response,
    answers_by_position: Answers,
    labels: Mapping[str, object],
    claims: Sequence[Mapping[str, object]],
) -> JSONObject:
    texts, evidence = {item.position: item.text for item in response.items.all()}, response.metadata["evidence"]
    claim_rows = []
    for position, text in texts.items():
        published = position < len(claims)  # a claim that was split is retired, and its parts were appended
        claim: Mapping[str, object] = (
            claims[position] if published else published_fields(answers_by_position.get(position, {}), FIELDS_OF_CLAIM)
        )
        claim_rows.append(
            _sorted_fields({"claim_string": text, "evidence": evidence[position] if published else [], **claim}, CLAIM)
        )
    sources = response.metadata["sources"]
    return _sorted_fields(
        {**labels, "answer_string": response.text, "attribution": sources, "claims": claim_rows}, ANSWER
    )


def _sorted_fields(fields: Mapping[str, object], first: list[str]) -> JSONObject:
    return {name: fields[name] for name in [*first, *sorted(fields.keys() - set(first))] if name in fields}
