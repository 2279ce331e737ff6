"""Judges, language models or rules that rate like a person, with their runs, requests and verdicts.

A judge never changes: another configuration is the next version, with an account of its own, so that its ratings
are told apart. Its account is inactive and cannot sign in.
"""

import pgtrigger
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy


class Judge(models.Model):
    """One version of a judge: a rule, or a model at an endpoint with its prompt, limits and prices."""

    class Rule(models.TextChoices):
        LEXICAL_OVERLAP = "lexical-overlap", gettext_lazy("Lexical overlap with the best passage")
        NUMBERS = "numbers", gettext_lazy("Numbers check")
        ALWAYS_ACCURATE = "always-accurate", gettext_lazy("Always accurate")

    class Sees(models.TextChoices):
        ARTICLE = "article", gettext_lazy("The whole article")
        PASSAGES = "passages", gettext_lazy("The passages that fit best")

    class Rates(models.TextChoices):
        SENTENCE = "sentence", gettext_lazy("One item per request")
        RESPONSE = "response", gettext_lazy("All items of a response in one request")

    class FactQA(models.TextChoices):
        PUBLISHED = "published", gettext_lazy("As published: an unreadable answer counts 0")
        STRICT = "strict", gettext_lazy("Strict: an unreadable answer fails")

    class FactSource(models.TextChoices):
        REFERENCE = "reference", gettext_lazy("The reference answer")
        DOCUMENT = "document", gettext_lazy("The document")

    name = models.CharField(max_length=60)
    version = models.PositiveIntegerField()
    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="judge")
    rule = models.CharField(max_length=20, choices=Rule, blank=True, default="")
    base_url = models.URLField(max_length=500, blank=True, default="")
    model = models.CharField(max_length=200, blank=True, default="")
    template = models.TextField(blank=True, default="", help_text="Of the prompt; empty for a rule.")
    temperature = models.FloatField(default=0.0)
    samples = models.PositiveSmallIntegerField(default=1, help_text="Answers per request, of which the majority holds.")
    sees = models.CharField(max_length=10, choices=Sees, default=Sees.ARTICLE)
    rates = models.CharField(max_length=10, choices=Rates, default=Rates.SENTENCE)
    fact_qa = models.CharField(
        max_length=9, choices=FactQA, blank=True, default="", help_text="Mode of Fact-QA; empty: it rates items."
    )
    fact_source = models.CharField(
        max_length=9, choices=FactSource, default=FactSource.REFERENCE, help_text="What a response's facts need."
    )
    precision_only = models.BooleanField(
        default=False, db_default=False, help_text="Whether Fact-QA asks nothing about reference answers."
    )
    max_tokens = models.PositiveIntegerField(default=1_000, help_text="Of an answer.")
    logprobs = models.BooleanField(default=False, help_text="Whether log-probabilities are requested.")
    timeout = models.FloatField(default=120.0, help_text="Seconds until a request is given up.")
    concurrency = models.PositiveSmallIntegerField(default=8, help_text="Requests at the same time.")
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True)
    input_price = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, help_text="USD per million tokens of requests."
    )
    output_price = models.DecimalField(
        max_digits=12, decimal_places=6, null=True, blank=True, help_text="USD per million tokens of answers."
    )
    key_env = models.CharField(max_length=100, blank=True, default="", help_text="Environment variable with the key.")
    encrypted_key = models.TextField(blank=True, default="", help_text="The key, encrypted with the site's SECRET_KEY.")
    returned_model = models.CharField(  # noqa: DJ001 (null: no answer yet; empty: the endpoint names no model)
        max_length=200,
        null=True,
        blank=True,
        help_text="As which the endpoint answered first; a run ends when it answers as another one.",
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

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
            models.CheckConstraint(condition=Q(sees__in=["article", "passages"]), name="judge_sees_valid"),
            models.CheckConstraint(condition=Q(rates__in=["sentence", "response"]), name="judge_rates_valid"),
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
    def has_prices(self) -> bool:
        """Whether the cost of a request can be computed."""
        return self.input_price is not None and self.output_price is not None


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


class JudgeRun(models.Model):
    """One run of a judge over a project's items. A job that is resumed continues its run."""

    class Ended(models.TextChoices):
        DONE = "done", gettext_lazy("Every item has a verdict")
        LIMIT = "limit", gettext_lazy("The limit of items was reached")
        BUDGET = "budget", gettext_lazy("The budget was used")
        MODEL = "model", gettext_lazy("The endpoint answered as another model")
        STOPPED = "stopped", gettext_lazy("Canceled")
        FAILED = "failed", gettext_lazy("The endpoint failed")

    judge = models.ForeignKey(Judge, models.PROTECT, related_name="runs")
    project = models.ForeignKey("annotation.Project", models.CASCADE, related_name="judge_runs")
    job = models.OneToOneField("annotation.Job", models.SET_NULL, null=True, blank=True, related_name="judge_run")
    limit = models.PositiveIntegerField(null=True, blank=True, help_text="Items at most.")
    budget_usd = models.DecimalField(max_digits=12, decimal_places=6, null=True, blank=True)
    budget_tokens = models.PositiveBigIntegerField(null=True, blank=True, help_text="Of requests and answers together.")
    is_estimate = models.BooleanField(default=False, db_default=False, help_text="Whether it stores no verdicts.")
    response_format = models.CharField(max_length=11, blank=True, default="", help_text="What the endpoint accepts.")
    deleted_cost = models.DecimalField(
        max_digits=14, decimal_places=8, default=0, db_default=0, help_text="USD, of its requests that were deleted."
    )
    deleted_tokens = models.PositiveBigIntegerField(
        default=0, db_default=0, help_text="Of its requests that were deleted."
    )
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    started_at = models.DateTimeField(auto_now_add=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=7, choices=Ended, blank=True, default="", help_text="Why; empty: it has not.")
    problem = models.TextField(blank=True, default="", db_default="", help_text="The error that ended it, if one did.")
    failures = models.PositiveIntegerField(
        default=0, db_default=0, help_text="Its failed verdicts or scores, with those that a later run has replaced."
    )

    class Meta:
        ordering = ["-started_at", "-id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(ended__in=["", "done", "limit", "budget", "model", "stopped", "failed"]),
                name="judge_run_ended_valid",
            ),
            models.CheckConstraint(
                condition=Q(response_format__in=["", "json_schema", "json_object", "text"]),
                name="judge_run_response_format_valid",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.project_id}"


class JudgeCall(models.Model):
    """One request to an endpoint and its answer. The row is committed before the request is sent.

    `lost`: no answer came (the process was killed, a timeout, a cut connection), although the endpoint may have charged
    for one; its tokens are estimated by those of the repeated request.
    """

    class State(models.TextChoices):
        SENT = "sent", gettext_lazy("Sent")
        ANSWERED = "answered", gettext_lazy("Answered")
        FAILED = "failed", gettext_lazy("Failed")
        LOST = "lost", gettext_lazy("Lost")

    run = models.ForeignKey(JudgeRun, models.CASCADE, related_name="calls")
    item = models.ForeignKey(
        "annotation.Item", models.PROTECT, related_name="+", help_text="The item, or the first item of the response."
    )
    sample = models.PositiveSmallIntegerField(help_text="From 1.")
    attempt = models.PositiveSmallIntegerField(help_text="From 1.")
    is_repair = models.BooleanField(default=False, help_text="Whether it asks to correct an invalid answer.")
    cache_key = models.CharField(max_length=64, help_text="SHA-256 of all that the answer depends on.")
    request = models.JSONField(help_text="The body without the key.")
    answer = models.TextField(blank=True, default="", help_text="The text of the answer.")
    answer_body = models.JSONField(null=True, blank=True, help_text="All of the answer, without the key.")
    returned_model = models.CharField(max_length=200, blank=True, default="", db_default="")
    system_fingerprint = models.CharField(max_length=200, blank=True, default="", db_default="")
    finish_reason = models.CharField(max_length=50, blank=True, default="", db_default="")
    confidence = models.FloatField(null=True, blank=True, help_text="By log-probabilities, if the endpoint gave them.")
    state = models.CharField(max_length=8, choices=State, default=State.SENT)
    http_status = models.PositiveSmallIntegerField(null=True, blank=True)
    error = models.TextField(blank=True, default="")
    prompt_tokens = models.PositiveIntegerField(null=True, blank=True)
    completion_tokens = models.PositiveIntegerField(null=True, blank=True)
    is_estimated = models.BooleanField(default=False, help_text="Whether the tokens are estimated.")
    cost = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True, help_text="USD.")
    sent_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["sent", "answered", "failed", "lost"]), name="judge_call_state_valid"
            )
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
        RATED = "rated", gettext_lazy("Rated")
        FAILED = "failed", gettext_lazy("Failed")

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
        SCORED = "scored", gettext_lazy("Scored")
        FAILED = "failed", gettext_lazy("Failed")

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
