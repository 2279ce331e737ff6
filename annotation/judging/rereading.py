"""Read the stored replies of judges again, and correct the verdicts and scores that were taken from a draft.

Earlier states of 0.8.0-dev read the first JSON object, or score, in a reply, also in the model's reasoning. A result is
corrected only if that way of reading gives what is stored, and today's another: what somebody else has changed stays.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import TypeVar

from django.db import transaction

from ..audit import record
from ..jobs import Progress
from ..model_calls.errors import InvalidAnswer
from ..model_calls.replies import Reply, check_is_whole, shortened, tokens_in
from ..model_calls.request_bodies import FORMATS, MAX_TOKENS, cache_key, request_body
from ..models import FactScore, JudgeCall, JudgeRun, Project, Verdict
from ..rating.bulk_storage import CannotStore
from .calls import calls_of
from .fact_requests import iter_fact_requests
from .fact_scores import store_fact_scores
from .item_requests import JudgeRequests, iter_item_requests
from .quotes import MAX_QUOTE
from .verdicts import MAX_REASON, NewVerdict, replace_verdicts
from .workload import run_lock

Group = TypeVar("Group", bound=JudgeRequests)
_CONFIGURATION = (
    *("base_url", "model", "temperature", "max_tokens", "logprobs"),
    *("template", "context", "request_unit", "fact_qa", "fact_source"),
)
"""What a request of a judge depends on."""
_SCORE = re.compile(r"Score: [\d.]+/[\d.]+")


@dataclass
class RereadCounts:
    """Of the `results` (verdicts, or with Fact-QA scores) of a judge in a project: `drafts` were taken from a draft and
    have another answer; of `unreadable` ones no valid answer is left; `recovered` ones failed and have one. `corrected`
    of them were stored. `unclear` ones were not read from the stored replies, `without_reply` have none.
    """

    project: str
    judge: str
    results: int = 0
    drafts: int = 0
    unreadable: int = 0
    recovered: int = 0
    corrected: int = 0
    unclear: int = 0
    without_reply: int = 0

    def as_json(self) -> dict[str, object]:
        return asdict(self)

    @property
    def wrong(self) -> int:
        """The number of results that are, or were, to be corrected."""
        return self.drafts + self.unreadable + self.recovered


def reread_answers(project: Project | None, *, corrects: bool, progress: Progress | None = None) -> list[RereadCounts]:
    """Read the replies of all judges in the project, or in all projects, again. Return the counts of each judge in each
    project. Raises RunBusy while one of them rates.

    A corrected verdict is the next version of its rating; the rating of one that is unreadable now is deleted, which
    its history keeps. Reports that are frozen stay as they are.
    """
    runs = JudgeRun.objects.filter(judge__rule="").select_related("judge__user", "project__protocol")
    runs = (runs.filter(project=project) if project else runs).order_by("project__slug", "judge", "pk")
    counts = []
    for _key, group in groupby(runs, lambda run: (run.project_id, run.judge_id)):
        own = list(group)
        judge, place = own[0].judge, own[0].project
        with run_lock(judge, place):
            counted = RereadCounts(place.slug, judge.label)
            for run in own:
                (_reread_scores if judge.fact_qa else _reread_verdicts)(run, counted, corrects=corrects)
            if corrects and counted.corrected:
                record(None, "correct judge answers", f"judge:{judge.label}", project=place, after=counted.as_json())
        if counted.results:
            counts.append(counted)
        if progress:
            progress(len(counts), None, counted.judge)
    return counts


def _reread_verdicts(run: JudgeRun, counts: RereadCounts, *, corrects: bool) -> None:
    about = ("item__response__prompt__document", "item__response", "item__against", "item__start", "item__position")
    verdicts = Verdict.objects.filter(run=run).select_related("rating", "item").order_by(*about)
    for _response, rows in groupby(list(verdicts), lambda verdict: verdict.item.response_id):
        stored = {row.item_id: row for row in rows}
        counts.results += len(stored)
        corrected: list[NewVerdict] = []
        for group in iter_item_requests(run, list(stored)):
            replies = _replies(group)
            if not all(replies.values()):
                counts.without_reply += len(group.items)
                continue
            now, before = _read(group, replies), _read(group, replies, _first_object)
            for verdict, former in zip(now.verdicts(), before.verdicts(), strict=True):
                row = stored[verdict.item.pk]
                content: tuple[object, ...] | None
                if row.rating:
                    content = (row.rating.answers, row.reason, row.quote, row.votes)
                else:
                    content = None if row.state == Verdict.State.FAILED else ()  # somebody has deleted the rating
                if _is_wrong(counts, _content(verdict), _content(former), content):
                    # What does not depend on how the reply is read stays.
                    corrected.append(replace(verdict, cost=row.cost, fingerprints=row.fingerprints, seconds=None))
        if corrects and corrected:
            counts.corrected += _store(run, corrected, counts)


def _content(verdict: NewVerdict) -> tuple[object, ...] | None:
    if verdict.answers is None:
        return None
    return verdict.answers, shortened(verdict.reason, MAX_REASON), shortened(verdict.quote, MAX_QUOTE), verdict.votes


def _store(run: JudgeRun, verdicts: Sequence[NewVerdict], counts: RereadCounts) -> int:
    """Store the corrected verdicts and return how many. Items that cannot be rated any more keep theirs."""
    try:
        with transaction.atomic():
            replace_verdicts(run, verdicts)
        return len(verdicts)
    except CannotStore:
        if len(verdicts) > 1:
            return sum(_store(run, [verdict], counts) for verdict in verdicts)
        counts.unclear += 1
        return 0


def _reread_scores(run: JudgeRun, counts: RereadCounts, *, corrects: bool) -> None:
    rows = FactScore.objects.filter(run=run)
    stored = {
        row.response_id: row for row in rows.order_by("response__prompt__document", "response__prompt", "response")
    }
    counts.results += len(stored)
    corrected: list[FactScore] = []
    for group in iter_fact_requests(run, list(stored)):
        replies = _replies(group)
        if not all(replies.values()):
            counts.without_reply += 1
            continue
        reads_before = _first_score if group.counts_unreadable else _first_object
        now, before = _read(group, replies).score(), _read(group, replies, reads_before).score()
        row = stored[group.response.pk]
        if _is_wrong(counts, _facts(now), _facts(before), _facts(row)):
            now.cost = row.cost
            corrected.append(now)
    if corrects and corrected:
        # The audit keeps the former scores, because scores have no history.
        former = {score.response.key: stored[score.response_id].counts for score in corrected}
        after = {score.response.key: score.counts for score in corrected}
        target = f"judge:{run.judge.label}"
        with transaction.atomic():
            store_fact_scores(run, corrected)
            record(None, "correct Fact-QA scores", target, project=run.project, before=former, after=after)
        counts.corrected += len(corrected)


def _facts(score: FactScore) -> tuple[object, ...] | None:
    if score.state == FactScore.State.FAILED:
        return None
    return json.loads(json.dumps(score.counts)), score.unreadable


def _is_wrong(counts: RereadCounts, now: object, before: object, stored: object) -> bool:
    """Count a result by what its replies say now, what they said before, and what is stored; None: it failed. Return
    whether it is to be corrected.
    """
    if now == stored:
        return False
    if stored is None:
        counts.recovered += 1
    elif before != stored:
        counts.unclear += 1
        return False
    elif now is None:
        counts.unreadable += 1
    else:
        counts.drafts += 1
    return True


def _replies(group: Group) -> dict[int, list[JudgeCall]]:
    """Return number of the request -> its answered calls, in the order in which they were sent: those of the run, else
    other ones of the judge, else one that was reused from another judge.
    """
    run = group.run
    about = calls_of(run.judge, run.project).filter(item=group.items[0], state=JudgeCall.State.ANSWERED).order_by("pk")
    calls = list(about.filter(returned_model=run.judge.returned_model or "").defer("request"))
    replies: dict[int, list[JudgeCall]] = {}
    for number in group.messages:
        own = [call for call in calls if call.sample == number]
        replies[number] = [call for call in own if call.run_id == run.pk] or own or _reused(group, number)
    return replies


def _reused(group: Group, number: int) -> list[JudgeCall]:
    """Return the newest call with the same request; else, as passages were ranked otherwise at the time, one about the
    same item with the same configuration, ranking and protocol.
    """
    run, judge = group.run, group.run.judge
    calls = JudgeCall.objects.filter(state=JudgeCall.State.ANSWERED, returned_model=judge.returned_model or "")
    calls = calls.defer("request").order_by("-pk")
    bodies = [request_body(judge, group.schema, group.messages[number], (form, MAX_TOKENS)) for form in FORMATS]
    same_item = calls.filter(
        item=group.items[0],
        sample=number,
        run__passage_ranking=run.passage_ranking,
        run__project__protocol=run.project.protocol_id,
        **{f"run__judge__{name}": getattr(judge, name) for name in _CONFIGURATION},
    )
    same_request = calls.filter(cache_key__in=[cache_key(judge, body, number) for body in bodies])
    return list(same_request[:1]) or list(same_item[:1])


def _read(group: Group, replies: dict[int, list[JudgeCall]], reads_before: Callable[[str], str] | None = None) -> Group:
    """Return the group with the answers of these replies: of each request the last, which may be a repair, or the valid
    one before it. `reads_before`: what an earlier state read of a reply, of the last alone.
    """
    read = group.without_answers()
    for number, calls in replies.items():
        for call in reversed(calls[-1:] if reads_before else calls):
            try:
                if not group.accepts_cut_answers:
                    reasoning = "" if reads_before else call.reasoning
                    check_is_whole(call.answer, reasoning, call.finish_reason, group.run.judge.max_tokens)
                read.note_answer(number, reads_before(call.answer) if reads_before else call.answer)
                choices = (call.answer_body or {}).get("choices") or [{}]
                read.probability = read.probability_of(Reply(call.state, call.answer, tokens=tokens_in(choices[0])))
                break
            except InvalidAnswer as invalid:
                read.problem = read.problem or str(invalid)
        else:
            read.note_failure(number)
    return read


def _first_object(text: str) -> str:
    """Return what was read of a reply: the first JSON object, with the last of equal keys."""
    start = text.find("{")
    try:
        return json.dumps(json.JSONDecoder().raw_decode(text, start)[0]) if start >= 0 else ""
    except (ValueError, RecursionError):
        return ""


def _first_score(text: str) -> str:
    match = _SCORE.search(text)
    return match[0] if match else ""
