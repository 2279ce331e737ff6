"""The records of the API, generated from its schema by clients/python/generate_records.py: do not edit."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any


@dataclass(frozen=True, kw_only=True)
class AuditEvent:
    """Who changed what."""

    id: int
    at: datetime
    actor: str | None = None
    """null: a command."""
    action: str
    target: str
    """The kind of thing and its name, such as project:june."""
    project: str | None = None
    before: Any
    after: Any


@dataclass(frozen=True, kw_only=True)
class NewItem:
    """An item that replaces others. `start` and `end` in code points of the response."""

    item: str
    position: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class ChangedBoundaries:
    """What the change has done."""

    retired: tuple[str, ...]
    items: tuple[NewItem, ...]
    ratings: int
    """Ratings that no longer count."""
    asked_again: int
    """Raters who get the response again."""
    gold: int
    """New items with the gold answer of the old ones: check them."""


@dataclass(frozen=True, kw_only=True)
class Vote:
    """An answer, and how many raters gave it."""

    answers: Mapping[str, Any]
    raters: int


@dataclass(frozen=True, kw_only=True)
class VerdictRating:
    """A decision of a lead, or a gold answer."""

    answers: Mapping[str, Any]
    reason: str
    evidence: tuple[Mapping[str, Any], ...]
    by: str
    rated_at: datetime


@dataclass(frozen=True, kw_only=True)
class ContestedItem:
    """An item under review."""

    item: str
    text: str
    response: str
    """Imported id."""
    score: float
    """0 if raters agree."""
    raters: int
    votes: tuple[Vote, ...]
    comments: int
    adjudication: VerdictRating | None
    gold: VerdictRating | None


@dataclass(frozen=True, kw_only=True)
class ContestedItems:
    """At most 25 items, and the number of all."""

    count: int
    items: tuple[ContestedItem, ...]


@dataclass(frozen=True, kw_only=True)
class CreatedWebhook:
    """A new webhook with its secret, which is shown only in this response."""

    id: str
    url: str
    events: tuple[str, ...]
    active: bool
    """False: paused; it is sent nothing."""
    created_at: datetime
    secret: str


@dataclass(frozen=True, kw_only=True)
class Dataset:
    slug: str
    title: str
    format: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class System:
    """A system with the number of its responses."""

    name: str
    responses: int


@dataclass(frozen=True, kw_only=True)
class Kind:
    """How many items of one unit and kind there are; `unplaced` have no position in the text."""

    unit: str
    kind: str
    rate: bool
    items: int
    unplaced: int


@dataclass(frozen=True, kw_only=True)
class Breakdown:
    """A metadata key of the prompts, by which reports break down every figure."""

    key: str
    values: int
    prompts: int


@dataclass(frozen=True, kw_only=True)
class DatasetContents:
    """A data set with the counts of its contents."""

    slug: str
    title: str
    format: str
    created_at: datetime
    documents: int
    prompts: int
    responses: int
    items: int
    rated_items: int
    systems: tuple[System, ...]
    kinds: tuple[Kind, ...]
    metadata: tuple[Breakdown, ...]
    projects: tuple[str, ...]
    """Those that the caller may see."""


@dataclass(frozen=True, kw_only=True)
class Delivery:
    """One event for one webhook."""

    id: str
    """The header `webhook-id`."""
    event: str
    status: str
    attempts: int
    created_at: datetime
    """When the event happened."""
    attempted_at: datetime | None
    """When it was last sent."""
    next_attempt_at: datetime | None
    """Null unless it waits."""
    last_status: int | None
    """HTTP status of the last answer."""
    last_error: str


@dataclass(frozen=True, kw_only=True)
class DocumentRow:
    """A document without its text, which has an address of its own."""

    id: str
    key: str
    """The imported id."""
    title: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What rating all missing `items` will take, by `tried` ones."""

    judge: str
    """The version of the judge as `NAME@N`."""
    items: int
    tried: int
    requests: int
    tokens: int | None = None
    """Of requests and answers together."""
    cost_usd: float | None
    """USD; null without prices."""
    seconds: float


@dataclass(frozen=True, kw_only=True)
class Export:
    """A file that a job has written; it is deleted after a week."""

    id: str
    what: str
    name: str
    size: int
    """Bytes."""
    sha256: str
    made_by: str | None
    made_at: datetime
    expires_at: str


@dataclass(frozen=True, kw_only=True)
class Format:
    name: str
    title: str
    describes: str
    """Which files."""
    rules: tuple[str, ...]
    """Values of `subset`."""
    several: bool
    """Whether several files can be imported at once."""
    mapped: bool
    """Whether `columns` says what the columns of the files are."""


@dataclass(frozen=True, kw_only=True)
class Formats:
    formats: tuple[Format, ...]


@dataclass(frozen=True, kw_only=True)
class FrozenRow:
    """A frozen report without its figures."""

    id: str
    frozen_at: datetime
    frozen_by: str | None
    data_sha256: str
    method: Mapping[str, Any] | None = None
    filters: Mapping[str, Any]
    """Empty: of all ratings that count."""


@dataclass(frozen=True, kw_only=True)
class FullProtocolVersion:
    slug: str
    version: str
    title: str
    sha256: str
    created_at: datetime
    toml: str
    """Its text."""
    definition: Mapping[str, Any]
    """Questions, options and conditions."""


@dataclass(frozen=True, kw_only=True)
class GenerationResult:
    """A response and how it was made, or why there is none. The parameters are those of the generator."""

    prompt: str
    """Imported id."""
    response: str | None = None
    """Imported id."""
    text: str | None = None
    state: str
    problem: str
    """Why it failed."""
    question_type: str
    """Of an answer in steps."""
    steps: str
    """Of an answer in steps."""
    reasoning: str
    """What the model thought before it answered; no part of the response."""
    returned_model: str
    """As which the endpoint answered."""
    prompt_sha256: str
    """Of the messages of the request."""
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    """USD; null without prices."""
    seconds: float | None
    """Waiting for the endpoint."""
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class GenerationRun:
    """A run with what it has stored so far."""

    id: str | None = None
    """Null: by a command."""
    number: int
    """Counts the runs of the site."""
    started_at: datetime
    started_by: str | None
    ended_at: datetime | None
    ended: str
    """Why it has ended (`stopped` also if it was killed); empty: it has not."""
    problem: str
    """The error that ended it; empty without one."""
    limit: int | None
    budget_usd: float | None
    budget_tokens: int | None
    requests: int
    tokens: int
    """Of requests and answers together."""
    cost_usd: float | None
    """USD; null without prices."""
    stored: int
    failed: int
    """Without those that a later run has repeated."""


@dataclass(frozen=True, kw_only=True)
class GenerationTemplate:
    """A version of a template."""

    name: str
    """Letters, digits and . _ + -. Under the name of an existing template, this is its next version."""
    text: str
    """With $prompt and, unless it shows no document, $document. $fence is a word that is in no text; $$ is a dollar
    sign.
    """
    context: str | None = None
    answer_form: str | None = None
    """For steps, the text asks for three parts, each on a new line after Type:, Steps: or Answer:."""
    template: str
    """`NAME@N`."""
    version: int
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Generator:
    """A generated system with its settings, and what has come of the prompts of the data set."""

    system: str
    """The name under which the responses appear in reports."""
    base_url: str
    """With the API of OpenAI, often ending in /v1."""
    model: str
    temperature: float | None = None
    max_tokens: int | None = None
    """Of an answer; a longer one is cut."""
    timeout: float | None = None
    """Seconds until a request is given up."""
    concurrency: int | None = None
    requests_per_minute: int | None = None
    input_price: str | None = None
    """USD per million tokens. Without both prices there is no cost and no budget."""
    output_price: str | None = None
    """USD per million tokens."""
    key_env: str | None = None
    """Of the worker, instead of a stored key. In pages and the API its name starts with MODEL_ or JUDGE_."""
    template: str
    """`NAME@N`."""
    context_tokens: int | None = None
    """Of a request with its answer, as many as the model accepts. Longer requests are not sent. Empty: no limit."""
    id: str
    returned_model: str | None
    """As which the endpoint answers; null before its first answer, empty if it names none."""
    has_key: bool
    """Whether a key is stored."""
    created_at: datetime
    stored: int
    """Prompts with a response."""
    failed: int
    """Prompts whose answer is no response."""
    missing: int
    """Prompts without a result."""
    cost_usd: float | None
    """USD; null without prices."""


@dataclass(frozen=True, kw_only=True)
class Guidelines:
    """A published version, with its Markdown source."""

    number: int
    note: str
    text: str
    examples: Mapping[str, Mapping[str, str]]
    made_at: datetime


@dataclass(frozen=True, kw_only=True)
class WeekOfWork:
    """A rater's week from `week_from`, a Monday."""

    week_from: str
    rater: str
    """User name, or the pseudonym in a project that hides raters."""
    annotations: int
    """Finished responses."""
    ratings: int
    ratings_with_time: int
    hours: float
    """Active hours of the ratings with a time."""
    rate: str | None = None
    """Per hour."""
    currency: str | None = None
    amount: str | None
    """Hours × rate."""


@dataclass(frozen=True, kw_only=True)
class Hours:
    weeks: tuple[WeekOfWork, ...]


@dataclass(frozen=True, kw_only=True)
class Import:
    """An import that has stored something."""

    kind: str
    files: tuple[Mapping[str, Any], ...]
    """Name and SHA-256 of each file."""
    options: Mapping[str, Any]
    """The choices, without the users of another tool's annotators."""
    counts: Mapping[str, Any]
    """As `import_dataset --json` prints them."""
    imported_by: str | None
    imported_at: datetime


@dataclass(frozen=True, kw_only=True)
class InboxQuestion:
    id: str
    kind: str
    text: str
    asker: str
    """The user name, or the pseudonym in a project that hides raters."""
    asked_at: datetime
    item: str
    item_text: str
    response: str
    """Imported id."""
    answer: str
    published: bool
    answered_by: str | None
    answered_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Invitation:
    username: str
    previous_role: str
    """Empty for a new member."""
    mailed: bool | None
    """Whether an email was sent; null: no address."""
    link: str
    """With which a new account sets its password, where the site sends no email."""


@dataclass(frozen=True, kw_only=True)
class Invitations:
    invitations: tuple[Invitation, ...]


@dataclass(frozen=True, kw_only=True)
class JobProgress:
    """A job's progress; `total` is null until it is known."""

    done: int
    total: int | None
    message: str


@dataclass(frozen=True, kw_only=True)
class Job:
    """A job. Poll its address until `state` is `done`, `failed` or `cancelled`."""

    id: str
    kind: str
    project: str | None = None
    state: str
    progress: JobProgress
    problems: tuple[str, ...]
    """Why it failed."""
    result: Mapping[str, Any] | None
    """What the job has done, by kind: of an import the counts, of an export the id of its file. null before the
    end; a report has an address of its own.
    """
    report: str | None = None
    """The frozen report."""
    started_by: str | None
    created_at: datetime
    ended_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class MeasurePlan:
    """One measure now and with the further ratings: with the judge, and by people alone."""

    measure: str
    """Its key."""
    value: float
    """With the judge."""
    people_value: float | None
    judge_value: float | None
    """Of the verdicts alone: not an estimate."""
    judge_weight: float
    """λ, from 0 (the verdicts are not used) to 1."""
    half_width: float | None
    """Half the width of a 95 % interval; null without one."""
    people_half_width: float | None
    """Half the width of a 95 % interval; null without one."""
    planned_half_width: float | None
    """Half the width of a 95 % interval; null without one."""
    people_planned_half_width: float | None
    """Half the width of a 95 % interval; null without one."""
    worth: int | None
    """Ratings that people alone would need more than today for the present margin with the judge; null: not
    defined, or more than all.
    """
    worth_is_more_than_all: bool
    rated_units: int
    """Sampling units with a rating of a person."""


@dataclass(frozen=True, kw_only=True)
class HybridPlan:
    """The numbers of items (`items`, `drawn`, `rated`, `planned_items`) and ratings of a plan, and its measures."""

    items: int
    drawn: int
    rated: int
    ratings: int
    ratings_each: float
    """Of a rated item."""
    planned_items: int
    """Rated ones with the further ratings."""
    ratings_left: int
    """Of drawn items that have none."""
    is_larger_sample: bool
    """Whether the plan takes more items than were drawn."""
    is_all: bool
    """Whether these are all items."""
    measures: tuple[MeasurePlan, ...]


@dataclass(frozen=True, kw_only=True)
class JudgePlan:
    """A plan with a judge and without, as the planner shows it."""

    judge: str
    """The version of the judge as `NAME@N`."""
    further: int
    system: str | None
    reason: str
    """Why there is no plan; else empty."""
    warnings: tuple[str, ...]
    """About the judge."""
    plan: HybridPlan | None


@dataclass(frozen=True, kw_only=True)
class JudgeRequest:
    """A request with its answer, as it was sent and received, without the key."""

    run: int
    """Number of the run."""
    response: str
    """Imported id of what it is about."""
    item: int
    """Of the first item that it is about."""
    item_id: str
    sample: int
    """From 1."""
    attempt: int
    """From 1."""
    is_repair: bool
    """Whether it asks to correct an invalid answer."""
    state: str
    request: Mapping[str, Any]
    """The body."""
    answer: str
    """Its text, without the reasoning."""
    reasoning: str
    """What the model thought before it."""
    answer_body: Mapping[str, Any] | None
    """All that the endpoint sent."""
    returned_model: str
    system_fingerprint: str
    finish_reason: str
    confidence: float | None
    """By log-probabilities, if the endpoint gave them."""
    http_status: int | None
    error: str
    prompt_tokens: int | None
    completion_tokens: int | None
    is_estimated: bool
    """Whether the tokens are estimated."""
    cost_usd: float | None
    """USD; null without prices."""
    sent_at: datetime
    answered_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Link:
    """A link with which anyone can read a frozen report."""

    id: str
    note: str
    """Who it was made for."""
    with_names: bool
    """Raters by name; else under their pseudonyms."""
    made_by: str | None
    made_at: datetime
    revoked_at: datetime | None


@dataclass(frozen=True, kw_only=True)
class Member:
    username: str
    """Or the pseudonym in a project that hides raters."""
    name: str
    """As pages show it."""
    role: str
    created_at: datetime | None
    """null where the name is hidden."""
    paused_at: datetime | None
    """Since when the rater gets no work."""
    pause_reason: str
    """What the rater is told."""


@dataclass(frozen=True, kw_only=True)
class MetricScore:
    """The value of a metric for a response, or for a pair of responses."""

    response: str
    """Imported id."""
    against: str | None = None
    """Of a pair: the response it is compared with."""
    metric: str
    value: float
    """Of a pair above 0: `response` is better."""
    source: str
    """`computed` by the site, or `imported`."""


@dataclass(frozen=True, kw_only=True)
class MetricScoreCounts:
    """What the file holds, and how many scores are new or have another value."""

    scores: Mapping[str, int]
    """By metric."""
    new: int
    changed: int


@dataclass(frozen=True, kw_only=True)
class NewLinkAddress:
    """A new link with its address, which is only in this answer."""

    id: str
    note: str
    """Who it was made for."""
    with_names: bool
    """Raters by name; else under their pseudonyms."""
    made_by: str | None
    made_at: datetime
    revoked_at: datetime | None
    address: str


@dataclass(frozen=True, kw_only=True)
class PayRate:
    """A rate per hour from the week of `starts_on` on."""

    rater: str | None = None
    """Null: all raters."""
    amount: str | None
    """Null: the rate ended."""
    currency: str
    """ISO 4217."""
    starts_on: str
    """A Monday."""


@dataclass(frozen=True, kw_only=True)
class ProjectOfPerson:
    project: str
    role: str


@dataclass(frozen=True, kw_only=True)
class Person:
    """An account. The names of imported ratings have accounts that are not active."""

    username: str
    name: str
    """As others see it."""
    email: str
    admin: bool
    active: bool
    erased_at: datetime | None
    """When the person was erased. The user name is a pseudonym since then."""
    last_login: datetime | None
    tokens: int
    """API tokens that are not revoked."""
    second_factor: bool
    projects: tuple[ProjectOfPerson, ...]


@dataclass(frozen=True, kw_only=True)
class PersonWithLink:
    """A new account with the link to set its password, which is shown only in this response."""

    username: str
    name: str
    """As others see it."""
    email: str
    admin: bool
    active: bool
    erased_at: datetime | None
    """When the person was erased. The user name is a pseudonym since then."""
    last_login: datetime | None
    tokens: int
    """API tokens that are not revoked."""
    second_factor: bool
    projects: tuple[ProjectOfPerson, ...]
    link: str


@dataclass(frozen=True, kw_only=True)
class PlannerFigures:
    """The figures of a plan. All proportions are shares from 0 to 1."""

    half_width: float | None = None
    """Margin of error to reach: half the width of a 95 % interval."""
    share: float | None = None
    """Expected proportion."""
    difference: float | None = None
    """Difference of two systems to detect."""
    power: float | None = None
    """Of the test of the difference, at alpha .05, two-sided."""
    pairs: int | None = None
    """Pairs compared; alpha is divided by this number."""
    prompts: int | None = None
    """Available prompts, to compare designs with."""
    prompts_per_document: float | None = None
    """Used if documents are the unit."""
    document_variation: float | None = None
    """Squared coefficient of variation of prompts per document."""
    unit_variation: float | None = None
    """Squared coefficient of variation of one system's ratings per document. Missing without data, and where one of
    `variation`, `prompts_per_document` and `document_variation` is given without it: then it follows from these.
    """
    sentences: float | None = None
    """Rated sentences (or other items) per response."""
    variation: float | None = None
    """Squared coefficient of variation of ratings per response."""
    excluded: float | None = None
    """Share of ratings not in a measure."""
    overlap: float | None = None
    """Raters per sentence."""
    systems: int | None = None
    """Systems."""
    raters: int | None = None
    """Available raters."""
    seconds: float | None = None
    """Seconds per rating."""
    icc_document: float | None = None
    """Intraclass correlation within a document."""
    icc: float | None = None
    """Within a response."""
    icc_sentence: float | None = None
    """Between raters of a sentence."""
    icc_rater: float | None = None
    """Within a rater."""
    correlation: float | None = None
    """Of two systems' results on the same units."""


@dataclass(frozen=True, kw_only=True)
class PlannedDesign:
    """A design and what it costs. `units` and `prompts` are of one system; `responses` and `ratings` of all."""

    raters: float
    """Per sentence."""
    units: int
    prompts: int
    is_at_minimum: bool
    """Whether fewer units would do, but an interval takes ten."""
    design_effect: float
    responses: int
    ratings: int
    hours: float
    """Of all raters together."""
    hours_each: float
    too_few_raters: bool
    """Whether fewer raters are available."""
    detectable: float | None
    """Difference that the available prompts detect; null for a margin, or if none."""


@dataclass(frozen=True, kw_only=True)
class SameWork:
    """The same number of ratings in several designs, each with half the width of its interval."""

    raters: int
    """Per sentence, or one on as many times the prompts."""
    ratings: int
    units: int
    """With one rater per sentence."""
    prompts: int
    """With one rater per sentence."""
    half_width_more_raters: float
    half_width_more_prompts_per_document: float | None
    """Null unless documents are the unit."""
    half_width_more_units: float


@dataclass(frozen=True, kw_only=True)
class TargetInterval:
    """The present interval of a system's proportion, against the project's target."""

    system: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    half_width: float | None
    """Half the width of a 95 % interval; null without one."""
    half_width_by_prompt: float | None
    """With prompts as the unit; null where they are."""
    met: bool | None
    """Null without a target or an interval."""
    units: int | None = None
    """That reach the target; null without one."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A plan, as the planner shows it."""

    measure: str
    """Its key."""
    system: str | None
    """Whose figures the plan starts with; null: of none."""
    unit: str
    """`prompt` or `document`."""
    figures: PlannerFigures
    usual: tuple[str, ...]
    """Figures that neither the request nor the project's data have."""
    margins: tuple[PlannedDesign, ...]
    """That reach the margin."""
    differences: tuple[PlannedDesign, ...]
    """That detect the difference."""
    other_share: float
    """Of the second system."""
    alpha_each: float
    """Of each pair."""
    units: int
    """Of the available prompts."""
    ratings: int
    """One on each sentence of these."""
    half_width: float
    """Half the width of the interval with these."""
    same_work: tuple[SameWork, ...]
    least_half_width: float
    """Which no number of prompts improves, if the raters are a sample of raters."""
    between_documents: float
    """Share of the variance."""
    between_prompts: float
    """Share of the variance."""
    between_sentences: float
    """Share of the variance."""
    within_sentences: float
    """Share of the variance."""
    target: float | None
    """The project's target; null without one."""
    intervals: tuple[TargetInterval, ...]


@dataclass(frozen=True, kw_only=True)
class PlanVersion:
    number: int
    toml: str
    """Its text."""
    sha256: str
    before_first_rating: bool
    """Whether the project had never had a rating when it was stored."""
    created_by: str | None
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class RaterProgress:
    """One rater's progress in responses and ratings."""

    rater: str
    finished: int
    leased: int
    ahead: int
    """Leased slots that are prefetched and not started."""
    ratings: int


@dataclass(frozen=True, kw_only=True)
class Progress:
    """A project's progress in slots: each response has as many as the overlap."""

    places: int
    done: int
    leased: int
    ahead: int
    """Leased slots that are prefetched and not started."""
    left: int
    responses: int
    nothing_to_rate: int
    set_aside: int
    excluded: int
    raters: tuple[RaterProgress, ...]


@dataclass(frozen=True, kw_only=True)
class Project:
    slug: str
    title: str
    """Raters see it. Frozen reports keep the title that they have."""
    dataset: str
    protocol: str
    """SLUG@VERSION"""
    overlap: int
    """How many raters annotate each response. Can be changed while the project is not archived."""
    seed: int
    """Fixes the random order of the work."""
    sampling_design: str
    """Empty: raters are asked about all items."""
    sample_size: int | None
    """How many items are drawn."""
    created_at: datetime
    archived_at: datetime | None
    """Since when nobody rates in it any more. It can be read and exported."""
    hides_raters: bool
    """Leads see a pseudonym for each rater, and only admins change the members. For admins."""
    suggestions: bool
    """Raters see the passages of the article that are most relevant to each sentence."""
    verdict_visibility: str
    """Verdicts that raters see before they answer may lead them."""
    shown_judge: str | None = None
    skips_claim_free: bool
    """Raters are not asked about items marked as likely free of claims. Can be changed until the first rating."""
    target_half_width: float | None
    """Half the width of a 95 % interval that all measures should reach. null: no target. A share, from 0 to 1."""
    prefetch_limit: int
    """How many responses a rater’s page fetches ahead."""
    sampling_judge: str | None = None


@dataclass(frozen=True, kw_only=True)
class ProjectJudge:
    """A judge in a project: `rated` and `failed` of `items`. `model` or `rule` is empty."""

    judge: str
    """The version of the judge as `NAME@N`."""
    rule: str
    model: str
    returned_model: str | None
    """As which the endpoint answers; null before its first answer, empty if it names none."""
    items: int
    rated: int
    failed: int
    cost_usd: float | None
    """USD; null without prices."""
    last_run_at: datetime | None = None
    estimate: Estimate | None
    """The newest one that was started by page or API."""
    problem: str
    """Why it cannot rate here; empty if it can."""


@dataclass(frozen=True, kw_only=True)
class ProjectJudges:
    judges: tuple[ProjectJudge, ...]


@dataclass(frozen=True, kw_only=True)
class Slot:
    """One of the openings of a response."""

    assignment: str | None = None
    rater: str | None = None
    expires_at: datetime | None
    finished_at: datetime | None
    ratings: int
    """Items that the rater has rated."""
    flags: int
    """Items that the rater has flagged."""


@dataclass(frozen=True, kw_only=True)
class ProjectResponse:
    """A response of a project, or a pair of responses, with its openings."""

    id: int
    """Of the sheet."""
    response: str
    """Imported id."""
    against: str | None = None
    """Of a pair."""
    prompt: str
    """Imported id."""
    system: str
    document: str | None = None
    purpose: str
    excluded: str | None = None
    """The reason; null: not excluded."""
    slots: tuple[Slot, ...]
    reserved_for: tuple[str, ...]
    """Raters to whom it is assigned."""


@dataclass(frozen=True, kw_only=True)
class ProjectRow:
    slug: str
    title: str
    dataset: str
    protocol: str
    """SLUG@VERSION"""
    overlap: int
    seed: int
    """Fixes the random order of the work."""
    sampling_design: str
    """Empty: raters are asked about all items."""
    sample_size: int | None
    """How many items are drawn."""
    created_at: datetime
    archived_at: datetime | None
    """Since when nobody rates in it any more. It can be read and exported."""


@dataclass(frozen=True, kw_only=True)
class PromptRow:
    """A prompt. `reference` is never sent to raters."""

    id: str
    key: str
    """The imported id."""
    text: str
    document: str | None = None
    """Imported id."""
    reference: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class ProtocolVersion:
    slug: str
    version: str
    title: str
    sha256: str
    created_at: datetime


@dataclass(frozen=True, kw_only=True)
class Rating:
    """A rating: answers about one item by a person or a judge."""

    id: int
    response: str
    """Imported id."""
    against: str | None = None
    """Of a pair."""
    prompt: str
    """Imported id."""
    document: str | None = None
    """Imported id."""
    system: str
    item: str
    unit: str
    position: int
    kind: str
    text: str
    rater: str
    """User name, or the pseudonym in a project that hides raters."""
    role: str
    answers: Mapping[str, Any]
    comment: str
    evidence: tuple[Mapping[str, Any], ...]
    seconds: float | None
    """Time spent, in seconds."""
    rated_at: datetime
    counted: bool
    """Whether reports count it: finished, by a rater, not a check."""


@dataclass(frozen=True, kw_only=True)
class Reoffered:
    responses: int
    items: int


@dataclass(frozen=True, kw_only=True)
class Difference:
    """A difference of the origins of two reports."""

    part: str
    """`protocol`, `software`, `data`, `method`, `inference` or `filters`."""
    name: str
    old: Any
    new: Any


@dataclass(frozen=True, kw_only=True)
class ComparedProportion:
    """A figure of one report; shares are 0 to 1, null where it is undefined."""

    value: float | None
    k: int
    n: int
    low: float | None
    high: float | None
    method: str


@dataclass(frozen=True, kw_only=True)
class MeasureChange:
    """A measure in both reports. `system` is null for all together; a report without the figure has null."""

    measure: str
    system: str | None
    old: ComparedProportion | None
    new: ComparedProportion | None
    change: float | None
    """`new` − `old`."""


@dataclass(frozen=True, kw_only=True)
class AgreementChange:
    """A coefficient of agreement in both reports."""

    question: str
    coefficient: str
    old: float | None
    new: float | None
    change: float | None


@dataclass(frozen=True, kw_only=True)
class ReportComparison:
    same_bytes: bool
    origins: tuple[Difference, ...]
    measures: tuple[MeasureChange, ...]
    agreement: tuple[AgreementChange, ...]


@dataclass(frozen=True, kw_only=True)
class ResponseRow:
    """A response of a system to a prompt."""

    id: str
    key: str
    """The imported id."""
    prompt: str
    """Imported id."""
    system: str
    text: str
    metadata: Mapping[str, Any]


@dataclass(frozen=True, kw_only=True)
class Run:
    """A run with what it has rated so far. An estimate rates nothing."""

    id: str | None = None
    """Null: by a command."""
    number: int
    """Selects its requests."""
    started_at: datetime
    started_by: str | None
    ended_at: datetime | None
    ended: str
    """Why it has ended (`stopped` also if it was killed); empty: it has not."""
    problem: str
    """The error that ended it; empty without one."""
    limit: int | None
    budget_usd: float | None
    budget_tokens: int | None
    requests: int
    tokens: int
    """Of requests and answers together."""
    cost_usd: float | None
    """USD; null without prices."""
    judge: str
    """The version of the judge as `NAME@N`."""
    is_estimate: bool
    rated: int
    failed: int
    """Also those that a later run has repeated."""
    still_failed: int
    """Of these, those that no later run has repeated."""
    fingerprints: int
    """Number of system fingerprints that the endpoint named."""
    passage_ranking: int | None
    """Version of the ranking that chose the passages it was shown; null if it sees all or none."""


@dataclass(frozen=True, kw_only=True)
class RunResult:
    """What a run did, as the command `run_judge --json` prints it."""

    judge: str
    """The version of the judge as `NAME@N`."""
    items: int
    """Of the project."""
    new: int
    """Rated in this run."""
    failed: int
    missing: int
    """Items without a verdict after it."""
    ended: str
    requests: int
    cached: int
    unanswered: int
    tokens: int | None = None
    """Of requests and answers together."""
    cost_usd: float | None
    """USD; null without prices."""


@dataclass(frozen=True, kw_only=True)
class SiteJudge:
    """A version of a judge with its configuration."""

    base_url: str | None = None
    """With the API of OpenAI, often ending in /v1."""
    model: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    """Of an answer; a longer one is cut."""
    timeout: float | None = None
    """Seconds until a request is given up."""
    concurrency: int | None = None
    requests_per_minute: int | None = None
    input_price: str | None = None
    """USD per million tokens. Without both prices there is no cost and no budget."""
    output_price: str | None = None
    """USD per million tokens."""
    key_env: str | None = None
    """Of the worker, instead of a stored key. In pages and the API its name starts with MODEL_ or JUDGE_."""
    rule: str | None = None
    """A rule needs no model, price or key."""
    template: str | None = None
    """Empty: the built-in prompt."""
    samples: int | None = None
    """How often each request is asked. The most frequent answer becomes the verdict; several need a temperature
    above 0.
    """
    sees: str | None = None
    rates: str | None = None
    fact_qa: str | None = None
    """Scores the facts of whole responses, at temperature 0 with one sample."""
    fact_source: str | None = None
    precision_only: bool | None = None
    """Asks nothing about reference answers: there is no recall and no F1."""
    logprobs: bool | None = None
    judge: str
    """The version of the judge as `NAME@N`."""
    created_at: datetime
    tuning_items: int
    """Number of items that tuned it or an earlier version."""
    has_key: bool
    """Whether a key is stored."""


@dataclass(frozen=True, kw_only=True)
class SiteJudges:
    """The versions of all judges, by name."""

    judges: tuple[SiteJudge, ...]


@dataclass(frozen=True, kw_only=True)
class Token:
    """A token without its key. `project` is null if it is not limited to one."""

    prefix: str
    """The start of the key; not secret."""
    name: str
    scope: str
    project: str | None
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
    """To the minute."""
    validity: str


@dataclass(frozen=True, kw_only=True)
class Tokens:
    """The caller's tokens, the newest first."""

    tokens: tuple[Token, ...]


@dataclass(frozen=True, kw_only=True)
class TunedItem:
    """An item that tuned the prompt of a judge."""

    response: str
    """Its imported id."""
    against: str | None = None
    """Of a pair: the other response."""
    unit: str
    item: int
    """Its position in the response."""
    item_id: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the judge said about an item, or why there is no rating."""

    response: str
    """Its imported id."""
    item: int
    """Its position in the response."""
    item_id: str
    text: str
    state: str
    answers: Mapping[str, Any] | None = None
    reason: str
    """The judge's, in its words."""
    quote: str
    quote_found: bool | None
    """In the document or the evidence; null: nothing was quoted."""
    confidence: float | None
    """0 to 1: share of votes, or probability."""
    votes: tuple[Mapping[str, Any] | None, ...]
    """The answers of each sample; null: an invalid one."""
    problem: str
    """Why it failed."""
    fingerprints: str
    """System fingerprints of its answers, separated by spaces."""
    cost_usd: float | None
    """USD; null without prices."""


@dataclass(frozen=True, kw_only=True)
class Webhook:
    """A webhook without its secret."""

    id: str
    url: str
    events: tuple[str, ...]
    active: bool
    """False: paused; it is sent nothing."""
    created_at: datetime
