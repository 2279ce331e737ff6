"""What judges and generators have in common: a language model at an endpoint, its runs and its requests.

The fields of an endpoint and the limits of a run are declared here once. Forms, serializers and commands take name,
type, default, bounds, label and help from them (`model_calls.configurations`).
"""

import math
import re
from decimal import Decimal
from typing import Any, ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator, URLValidator
from django.db import models
from django.db.models import Q, QuerySet

from .created_at import CreatedAtField

MAX_TOKENS = 1_000_000
"""The most that an answer may have, and that `usage` of an endpoint is believed to name."""
_is_url = URLValidator(schemes=["http", "https"])


def check_address(address: str) -> None:
    """Raise ValidationError unless this is the address of an endpoint, without a user name or password."""
    try:
        _is_url(address)
    except ValidationError:
        raise ValidationError(f"{address!r} is not an address (http or https).") from None
    if "@" in address.partition("://")[2].partition("/")[0]:
        raise ValidationError(
            "The address has a user name or password: name an environment variable with the key.",
        )


def check_variable(name: str) -> None:
    """Raise ValidationError unless this is the name of an environment variable."""
    if not re.fullmatch("[A-Za-z_][A-Za-z0-9_]*", name):
        raise ValidationError(f"{name!r} is not the name of an environment variable.")


def check_number(value: float) -> None:
    """Raise ValidationError for NaN, which no bound refuses."""
    if math.isnan(value):
        raise ValidationError("This is not a number.")


VERSION_NAME = RegexValidator(
    r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,59}\Z", "A name has letters, digits and . _ + -, at most 60."
)
"""Of judges and templates, so that NAME@N is the label of a version."""


def between(least: float, most: float) -> list[Any]:
    """Return the validators of a number with these bounds."""
    return [check_number, MinValueValidator(least), MaxValueValidator(most)]


class ModelConfiguration(models.Model):
    """A model at an endpoint with the API of OpenAI, with its parameters, limits and prices.

    `SETTINGS`: the fields that its answers and costs depend on; the key is not among them. `PUBLIC_NAMES`: field ->
    the name that commands, API and files have for it, where that is another one.
    """

    SETTINGS: ClassVar[tuple[str, ...]] = (
        *("base_url", "model", "temperature", "max_tokens", "timeout", "concurrency", "requests_per_minute"),
        *("input_price", "output_price", "key_env"),
    )
    PUBLIC_NAMES: ClassVar[dict[str, str]] = {}

    base_url = models.CharField(
        "address of the endpoint",
        max_length=500,
        blank=True,
        default="",
        validators=[check_address],
        help_text="With the API of OpenAI, often ending in /v1.",
    )
    model = models.CharField(max_length=200, blank=True, default="")
    temperature = models.FloatField(default=0.0, validators=between(0, 2))
    max_tokens = models.PositiveIntegerField(
        "tokens per answer",
        default=1_000,
        validators=between(1, MAX_TOKENS),
        help_text="Of an answer; a longer one is cut.",
    )
    timeout = models.FloatField(
        "timeout in seconds",
        default=120.0,
        validators=between(0.1, 3_600),
        help_text="Seconds until a request is given up.",
    )
    concurrency = models.PositiveSmallIntegerField("requests at the same time", default=8, validators=between(1, 256))
    requests_per_minute = models.PositiveIntegerField(null=True, blank=True, validators=between(1, 1_000_000))
    input_price = models.DecimalField(
        "price of requests",
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=between(0, 100_000),
        help_text="USD per million tokens. Without both prices there is no cost and no budget.",
    )
    output_price = models.DecimalField(
        "price of answers",
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=between(0, 100_000),
        help_text="USD per million tokens.",
    )
    key_env = models.CharField(
        "environment variable with the key",
        max_length=100,
        blank=True,
        default="",
        validators=[check_variable],
        help_text="Of the worker, instead of a stored key. In pages and the API its name starts with MODEL_ or JUDGE_.",
    )
    encrypted_key = models.TextField(blank=True, default="", help_text="The key, encrypted with the site's SECRET_KEY.")
    returned_model = models.CharField(  # noqa: DJ001 (null: no answer yet; empty: the endpoint names no model)
        max_length=200,
        null=True,
        blank=True,
        help_text="As which the endpoint answered first; a run ends when it answers as another one.",
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    created_at = CreatedAtField()

    class Meta:
        abstract = True

    def setting_values(self) -> dict[str, Any]:
        """Return name -> value of all SETTINGS."""
        return {name: getattr(self, name) for name in self.SETTINGS}

    @property
    def label(self) -> str:
        """Its name for people and files."""
        raise NotImplementedError

    @property
    def requests_logprobs(self) -> bool:
        """Whether log-probabilities of an answer are requested."""
        return False

    @property
    def has_prices(self) -> bool:
        """Whether the cost of a request can be computed."""
        return self.input_price is not None and self.output_price is not None

    @property
    def how_to_replace(self) -> str:
        """What a person does to use another address or model instead."""
        raise NotImplementedError


class ModelRun(models.Model):
    """One run of a model over items or prompts. A job that is resumed continues its run.

    `LIMITS`: how much it may do, and for how much.
    """

    LIMITS: ClassVar[tuple[str, ...]] = ("limit", "budget_usd", "budget_tokens")

    class Ended(models.TextChoices):
        DONE = "done", "Complete"
        LIMIT = "limit", "The limit was reached"
        BUDGET = "budget", "The budget was used"
        MODEL = "model", "The endpoint answered as another model"
        STOPPED = "stopped", "Canceled"
        FAILED = "failed", "The endpoint failed"

    job = models.OneToOneField("annotation.Job", models.SET_NULL, null=True, blank=True, related_name="+")
    limit = models.PositiveIntegerField(
        null=True, blank=True, validators=[MinValueValidator(1)], help_text="Items, responses or prompts at most."
    )
    budget_usd = models.DecimalField(
        "budget in USD",
        max_digits=12,
        decimal_places=6,
        null=True,
        blank=True,
        validators=[MinValueValidator(Decimal("0.000001"))],
        help_text="The run ends before it costs more. It needs both prices.",
    )
    budget_tokens = models.PositiveBigIntegerField(
        "budget in tokens",
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text="The run ends before requests and answers have more tokens.",
    )
    response_format = models.CharField(max_length=11, blank=True, default="", help_text="What the endpoint accepts.")
    deleted_cost = models.DecimalField(
        max_digits=14, decimal_places=8, default=0, db_default=0, help_text="USD, of its requests that were deleted."
    )
    deleted_tokens = models.PositiveBigIntegerField(
        default=0, db_default=0, help_text="Of its requests that were deleted."
    )
    started_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    started_at = CreatedAtField()
    ended_at = models.DateTimeField(null=True, blank=True)
    ended = models.CharField(max_length=7, choices=Ended, blank=True, default="", help_text="Why; empty: it has not.")
    problem = models.TextField(blank=True, default="", db_default="", help_text="The error that ended it, if one did.")

    class Meta:
        abstract = True

    @property
    def configuration(self) -> ModelConfiguration:
        """The judge or generator."""
        raise NotImplementedError

    @property
    def first_format(self) -> str:
        """The form of an answer that is requested first: `json_schema` or `text`."""
        return "json_schema"

    def related_runs(self) -> "QuerySet[Any]":
        """Return all runs of this configuration over the same items or prompts."""
        raise NotImplementedError

    def own_calls(self) -> "QuerySet[ModelCall]":
        """Return the requests of this run."""
        raise NotImplementedError

    def related_calls(self) -> "QuerySet[ModelCall]":
        """Return the requests of all runs of this configuration over the same items or prompts."""
        raise NotImplementedError

    def has_paid_for(self, call: "ModelCall") -> bool:
        """Return whether the request is among `related_calls`."""
        raise NotImplementedError


class ModelCall(models.Model):
    """One request to an endpoint and its answer. The row is committed before the request is sent.

    `lost`: no answer came (the process was killed, a timeout, a cut connection), although the endpoint may have charged
    for one; its tokens are estimated by those of the repeated request. Subclasses have a field `run`.
    """

    class State(models.TextChoices):
        SENT = "sent", "Sent"
        ANSWERED = "answered", "Answered"
        FAILED = "failed", "Failed"
        LOST = "lost", "Lost"

    sample = models.PositiveSmallIntegerField(help_text="From 1.")
    attempt = models.PositiveSmallIntegerField(help_text="From 1.")
    is_repair = models.BooleanField(default=False, help_text="Whether it asks to correct an invalid answer.")
    cache_key = models.CharField(max_length=64, help_text="SHA-256 of all that the answer depends on.")
    request = models.JSONField(help_text="The body without the key.")
    answer = models.TextField(blank=True, default="", help_text="The text of the answer, without the reasoning.")
    reasoning = models.TextField(blank=True, default="", db_default="", help_text="What the model thought before it.")
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
        abstract = True


IS_ENDED_VALID = Q(ended__in=["", "done", "limit", "budget", "model", "stopped", "failed"])
IS_RESPONSE_FORMAT_VALID = Q(response_format__in=["", "json_schema", "json_object", "text"])
IS_CALL_STATE_VALID = Q(state__in=["sent", "answered", "failed", "lost"])
"""Conditions for the constraints of subclasses."""
