"""Judges, language models or rules that rate like a person, with their runs, requests and verdicts.

A judge never changes: another configuration is the next version, with an account of its own, so that its ratings
are told apart. Its account is inactive and cannot sign in.
"""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet

from .model_calls import (
    IS_CALL_STATE_VALID,
    IS_ENDED_VALID,
    IS_RESPONSE_FORMAT_VALID,
    VERSION_NAME,
    ModelCall,
    ModelConfiguration,
    ModelRun,
    between,
)


class Judge(ModelConfiguration):
    """One version of a judge: a rule, or a model at an endpoint with its prompt, limits and prices."""

    class Rule(models.TextChoices):
        LEXICAL_OVERLAP = "lexical-overlap", "Lexical overlap with the best passage"
        NUMBERS = "numbers", "Numbers check"
        ALWAYS_ACCURATE = "always-accurate", "Always accurate"

    class Context(models.TextChoices):
        ARTICLE = "article", "The whole article"
        PASSAGES = "passages", "The passages that fit best"

    class RequestUnit(models.TextChoices):
        ITEM = "sentence", "One item per request"
        RESPONSE = "response", "All items of a response in one request"

    class FactQA(models.TextChoices):
        PUBLISHED = "published", "As published: an unreadable answer counts 0"
        STRICT = "strict", "Strict: an unreadable answer fails"

    class FactSource(models.TextChoices):
        REFERENCE = "reference", "The reference answer"
        DOCUMENT = "document", "The document"

    SETTINGS = (
        *ModelConfiguration.SETTINGS,
        *("rule", "template", "samples", "context", "request_unit"),
        *("fact_qa", "fact_source", "precision_only", "logprobs"),
    )
    PUBLIC_NAMES = {"context": "sees", "request_unit": "rates"}

    name = models.CharField(
        max_length=60,
        validators=[VERSION_NAME],
        help_text="Letters, digits and . _ + -. Under the name of an existing judge, this is its next version.",
    )
    version = models.PositiveIntegerField()
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="judge")
    rule = models.CharField(
        max_length=20, choices=Rule, blank=True, default="", help_text="A rule needs no model, price or key."
    )
    template = models.TextField(
        "prompt", max_length=100_000, blank=True, default="", help_text="Empty: the built-in prompt."
    )
    samples = models.PositiveSmallIntegerField(
        default=1,
        validators=between(1, 50),
        help_text="How often each request is asked. The most frequent answer becomes the verdict; several need a "
        "temperature above 0.",
    )
    context = models.CharField("sees", max_length=10, choices=Context, default=Context.ARTICLE, db_column="sees")
    request_unit = models.CharField(
        "items per request", max_length=10, choices=RequestUnit, default=RequestUnit.ITEM, db_column="rates"
    )
    fact_qa = models.CharField(
        "Fact-QA",
        max_length=9,
        choices=FactQA,
        blank=True,
        default="",
        help_text="Scores the facts of whole responses, at temperature 0 with one sample.",
    )
    fact_source = models.CharField(
        "Fact-QA: facts are supported by", max_length=9, choices=FactSource, default=FactSource.REFERENCE
    )
    precision_only = models.BooleanField(
        "Fact-QA: precision only",
        default=False,
        db_default=False,
        help_text="Asks nothing about reference answers: there is no recall and no F1.",
    )
    logprobs = models.BooleanField("request log-probabilities, for the confidence", default=False)

    class Meta:
        ordering = ["name", "version"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="unique_judge_version"),
            models.CheckConstraint(
                condition=Q(rule="", base_url__gt="", model__gt="") | Q(rule__gt="", base_url="", model=""),
                name="judge_has_rule_xor_endpoint",
            ),
            models.CheckConstraint(
                condition=Q(rule__in=["", "lexical-overlap", "numbers", "always-accurate"]), name="judge_rule_valid"
            ),
            models.CheckConstraint(condition=Q(context__in=["article", "passages"]), name="judge_sees_valid"),
            models.CheckConstraint(condition=Q(request_unit__in=["sentence", "response"]), name="judge_rates_valid"),
            models.CheckConstraint(condition=Q(fact_qa__in=["", "published", "strict"]), name="judge_fact_qa_valid"),
            models.CheckConstraint(
                condition=Q(fact_source__in=["reference", "document"]), name="judge_fact_source_valid"
            ),
            models.CheckConstraint(
                condition=Q(version__gte=1, samples__gte=1, concurrency__gte=1, max_tokens__gte=1, timeout__gt=0),
                name="judge_numbers_positive",
            ),
        ]
        triggers = [pgtrigger.ReadOnly(name="judge_is_immutable", exclude=["encrypted_key", "returned_model"])]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The name of this version, also of its account: NAME@1 of the first. NAME alone means the newest version."""
        return judge_label(self.name, self.version)

    @property
    def requests_logprobs(self) -> bool:
        return self.logprobs

    @property
    def how_to_replace(self) -> str:
        return "create the next version of the judge"


class TuningItem(models.Model):
    """An item with which a judge's prompt was tuned: it does not say how good the judge is."""

    judge = models.ForeignKey(Judge, models.CASCADE, related_name="tuning_items")
    item = models.ForeignKey("annotation.Item", models.CASCADE, related_name="+")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["judge", "item"], name="unique_tuning_item")]

    def __str__(self) -> str:
        return f"item {self.item_id} tuned {self.judge_id}"


def judge_label(name: str, version: int) -> str:
    """Return `Judge.label` of a version."""
    return f"{name}@{version}"


class JudgeRun(ModelRun):
    """One run of a judge over a project's items, or with Fact-QA over its responses."""

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="runs")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="judge_runs")
    is_estimate = models.BooleanField(default=False, db_default=False, help_text="Whether it stores no verdicts.")
    failures = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Its failed verdicts or scores, with those that a later run has replaced."
    )
    passage_ranking = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="Version of the ranking that chose the passages it was shown; empty: none did."
    )

    class Meta:
        ordering = ["-started_at", "-id"]
        constraints = [
            models.CheckConstraint(condition=IS_ENDED_VALID, name="judge_run_ended_valid"),
            models.CheckConstraint(condition=IS_RESPONSE_FORMAT_VALID, name="judge_run_response_format_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.project_id}"

    @property
    def configuration(self) -> Judge:
        return self.judge

    @property
    def first_format(self) -> str:
        return "text" if self.judge.fact_qa == Judge.FactQA.PUBLISHED else super().first_format

    def related_runs(self) -> "QuerySet[JudgeRun]":
        return JudgeRun.objects.filter(judge=self.judge_id, project=self.project_id)

    def own_calls(self) -> "QuerySet[JudgeCall]":
        return JudgeCall.objects.filter(run=self)

    def related_calls(self) -> "QuerySet[JudgeCall]":
        return JudgeCall.objects.filter(run__judge=self.judge_id, run__project=self.project_id)

    def has_paid_for(self, call: ModelCall) -> bool:
        if not isinstance(call, JudgeCall):
            return False
        return (call.run.judge_id, call.run.project_id) == (self.judge_id, self.project_id)


class JudgeCall(ModelCall):
    """One request of a judge and its answer."""

    run = models.ForeignKey(JudgeRun, models.CASCADE, related_name="calls")
    item = models.ForeignKey(
        "annotation.Item", models.PROTECT, related_name="+", help_text="The item, or the first item of the response."
    )

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(condition=IS_CALL_STATE_VALID, name="judge_call_state_valid"),
        ]
        indexes = [
            models.Index(fields=["cache_key"], condition=Q(state="answered"), name="answered_judge_calls"),
            models.Index(fields=["run"], condition=Q(state="sent"), name="sent_judge_calls"),
        ]

    def __str__(self) -> str:
        return f"{self.state} call for item {self.item_id}"


class Verdict(models.Model):
    """What a judge said about an item: a rating, or why there is none."""

    class State(models.TextChoices):
        RATED = "rated", "Rated"
        FAILED = "failed", "Failed"

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="verdicts")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="verdicts")
    item = models.ForeignKey("annotation.Item", models.PROTECT, related_name="verdicts")
    run = models.ForeignKey(JudgeRun, models.CASCADE, related_name="verdicts")
    rating = models.OneToOneField("annotation.Rating", models.SET_NULL, null=True, blank=True, related_name="verdict")
    state = models.CharField(max_length=6, choices=State)
    reason = models.TextField(blank=True, default="", help_text="The judge's, in its words.")
    confidence = models.FloatField(null=True, blank=True, help_text="0 to 1: share of votes, or probability.")
    votes = models.JSONField(default=list, blank=True, help_text="The answers of each sample; null: an invalid one.")
    quote = models.TextField(blank=True, default="")
    quote_found = models.BooleanField(
        null=True, blank=True, help_text="In the document or the evidence; empty: nothing was quoted."
    )
    problem = models.TextField(blank=True, default="", help_text="Why it failed.")
    fingerprints = models.TextField(
        blank=True, default="", db_default="", help_text="System fingerprints of its answers, separated by spaces."
    )
    cost = models.DecimalField(
        max_digits=14, decimal_places=8, null=True, blank=True, help_text="USD, of the answers it is made of."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judge", "project", "item"], name="unique_verdict"),
            models.CheckConstraint(condition=Q(state__in=["rated", "failed"]), name="verdict_state_valid"),
            models.CheckConstraint(
                condition=Q(confidence=None) | Q(confidence__gte=0, confidence__lte=1), name="verdict_confidence_valid"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on item {self.item_id}: {self.state}"


class FactScore(models.Model):
    """The Fact-QA of a response: which of its facts are supported, and which of the reference answer's, or why not.

    `counts` has the entries `precision` and `recall`, as far as answers came: `{"supported": 2, "facts": 3}`, with
    `"list": [[fact, is_supported]]` where the judge gave one; null where an unreadable answer counts 0.
    """

    class State(models.TextChoices):
        SCORED = "scored", "Scored"
        FAILED = "failed", "Failed"

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="fact_scores")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="fact_scores")
    response = models.ForeignKey("annotation.Response", models.PROTECT, related_name="fact_scores")
    run = models.ForeignKey(JudgeRun, models.CASCADE, related_name="fact_scores")
    state = models.CharField(max_length=6, choices=State)
    precision = models.FloatField(null=True, blank=True, help_text="0 to 1; empty: undefined.")
    recall = models.FloatField(null=True, blank=True, help_text="0 to 1; empty: undefined.")
    f1 = models.FloatField(null=True, blank=True, help_text="0 to 1; empty: undefined.")
    counts = models.JSONField(default=dict, blank=True)
    unreadable = models.PositiveSmallIntegerField(default=0, help_text="Unreadable answers that count 0.")
    problem = models.TextField(blank=True, default="", help_text="Why it failed.")
    cost = models.DecimalField(
        max_digits=14, decimal_places=8, null=True, blank=True, help_text="USD, of the answers it is made of."
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judge", "project", "response"], name="unique_fact_score"),
            models.CheckConstraint(condition=Q(state__in=["scored", "failed"]), name="fact_score_state_valid"),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on response {self.response_id}: {self.state}"


class VerdictsShown(models.Model):
    """Verdicts of a judge about a response, or a pair, were shown to a person, in whichever project.

    What the person then rates of it, in any project, is marked (`Rating.verdict_shown`).
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False)
    response = models.ForeignKey("annotation.Response", models.CASCADE, related_name="+")
    against = models.ForeignKey("annotation.Response", models.CASCADE, null=True, blank=True, related_name="+")
    first_shown_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["person", "response", "against"], name="unique_verdicts_shown", nulls_distinct=False
            ),
        ]

    def __str__(self) -> str:
        return f"response {self.response_id} to {self.person_id}"
