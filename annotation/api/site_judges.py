"""The judges of the site for programs of admins: listing and creating versions."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from ..importing.item_lists import find_item
from ..importing.manual_items import ItemDescription
from ..importing.problems import BadRecord
from ..judging.judges import MAX_SAMPLES, Configuration, repeat_judge
from ..judging.tuning import create_tuned_judge, tuning_items_of, with_tuned
from ..model_calls.configurations import MAX_CONCURRENCY
from ..model_calls.keys import check_key_variable
from ..models import Item, Judge, Project, User
from .authentication import caller
from .errors import at_field
from .judges import VERSION
from .parsers import validate
from .records import OptionalText
from .views import AdminView

PRICE = "USD per million tokens. Without both prices there is no cost and no budget."
KEY_VARIABLE = "Environment variable of the worker with the key. Its name starts with MODEL_ or JUDGE_."
_DEFAULT = Configuration()


class HasKey(serializers.BooleanField):
    """Whether an endpoint has a key, which is in no response."""

    def __init__(self) -> None:
        super().__init__(source="encrypted_key", read_only=True, help_text="Whether a key is stored.")

    def to_representation(self, value: object) -> bool:
        return bool(value)


class NewKey(serializers.CharField):
    def __init__(self) -> None:
        help_text = "Stored encrypted, and in no response. Empty: the stored key stays."
        super().__init__(required=False, default="", allow_blank=True, max_length=1_000, help_text=help_text)


class PriceField(serializers.DecimalField):
    def __init__(self) -> None:
        super().__init__(
            max_digits=12, decimal_places=6, required=False, allow_null=True, default=None, min_value=0, help_text=PRICE
        )


class EndpointSerializer(serializers.Serializer[object]):
    """What a judge and a generator have in common: limits and prices of their requests."""

    key_env = OptionalText(max_length=100, help_text=KEY_VARIABLE)
    max_tokens = serializers.IntegerField(
        default=_DEFAULT.max_tokens, min_value=1, max_value=10**6, help_text="Of an answer."
    )
    timeout = serializers.FloatField(default=_DEFAULT.timeout, min_value=0.1, max_value=3_600, help_text="Seconds.")
    concurrency = serializers.IntegerField(default=_DEFAULT.concurrency, min_value=1, max_value=MAX_CONCURRENCY)
    requests_per_minute = serializers.IntegerField(allow_null=True, default=None, min_value=1, max_value=10**6)
    input_price = PriceField()
    output_price = PriceField()


class ConfigurationSerializer(EndpointSerializer):
    """A rule, or a model at an endpoint with its prompt, limits and prices. The key is in no response."""

    rule = serializers.ChoiceField(choices=["", *Judge.Rule.values], default="", allow_blank=True)
    base_url = OptionalText(max_length=500, help_text="Of an endpoint, with a model.")
    model = OptionalText(max_length=200)
    template = OptionalText(max_length=100_000, trim_whitespace=False, help_text="The prompt; empty: the built-in one.")
    temperature = serializers.FloatField(default=_DEFAULT.temperature, min_value=0, max_value=2)
    samples = serializers.IntegerField(
        default=_DEFAULT.samples, min_value=1, max_value=MAX_SAMPLES, help_text="Answers per request."
    )
    sees = serializers.ChoiceField(choices=Judge.Sees.choices, default=_DEFAULT.sees)
    rates = serializers.ChoiceField(choices=Judge.Rates.choices, default=_DEFAULT.rates)
    fact_qa = serializers.ChoiceField(
        choices=["", *Judge.FactQA.values], default="", allow_blank=True, help_text="Mode of Fact-QA."
    )
    fact_source = serializers.ChoiceField(choices=Judge.FactSource.choices, default=_DEFAULT.fact_source)
    precision_only = serializers.BooleanField(default=False, help_text="Fact-QA: score precision alone.")
    logprobs = serializers.BooleanField(default=False, help_text="Request them, for the confidence.")


class TuningItemSerializer(serializers.Serializer[object]):
    """An item that tuned the prompt of a judge."""

    response = serializers.CharField(max_length=1_000, help_text="Its imported id.")
    item = serializers.IntegerField(min_value=0, max_value=10**6, help_text="Its position in the response.")
    unit = serializers.ChoiceField(choices=Item.Unit.choices, default=Item.Unit.SENTENCE)
    against = OptionalText(max_length=1_000, help_text="The other response of a pair.")


class NewJudgeSerializer(ConfigurationSerializer):
    """A new judge, or the next version of one. What is missing has its default."""

    name = serializers.CharField(max_length=60, help_text="Letters, digits and . _ + -.")
    key = NewKey()
    repeat = serializers.BooleanField(
        default=False,
        help_text="Make the next version with all that the newest has, which asks again; with `name` alone.",
    )
    tuned_on_project = serializers.SlugField(
        allow_null=True, default=None, help_text="The rated items of this project tuned the prompt."
    )
    tuned_on = serializers.ListField(
        child=TuningItemSerializer(), default=list, max_length=10_000, help_text="What tuned the prompt."
    )


class CreatedJudgeSerializer(serializers.Serializer[Judge]):
    """The version that has this configuration."""

    judge = serializers.CharField(source="label", help_text=VERSION)


class SiteJudgeSerializer(ConfigurationSerializer):
    """A version of a judge with its configuration."""

    judge = serializers.CharField(source="label", help_text=VERSION)
    created_at = serializers.DateTimeField()
    tuning_items = serializers.IntegerField(
        source="tuned", help_text="Number of items that tuned it or an earlier version."
    )
    has_key = HasKey()


class SiteJudgesSerializer(serializers.Serializer[object]):
    """The versions of all judges, by name."""

    judges = SiteJudgeSerializer(many=True)


class SiteJudges(AdminView):
    @extend_schema(responses=SiteJudgesSerializer)
    def get(self, request: Request) -> Response:
        """All versions of all judges with their configurations, without keys. For admins."""
        return Response(SiteJudgesSerializer({"judges": with_tuned(Judge.objects.all())}).data)

    @extend_schema(request=NewJudgeSerializer, responses={200: CreatedJudgeSerializer, 201: CreatedJudgeSerializer})
    def post(self, request: Request) -> Response:
        """Create a judge, or its next version: 201. With the configuration of its newest version, 200: only the key is
        replaced, if one is given, and items that tuned the prompt are added. For admins.
        """
        values = validate(NewJudgeSerializer, request.data)
        with at_field("judge"):
            judge, is_new = _create(values, caller(request))
        created = status.HTTP_201_CREATED if is_new else status.HTTP_200_OK
        return Response(CreatedJudgeSerializer(judge).data, status=created)


def _create(values: dict[str, Any], actor: User) -> tuple[Judge, bool]:
    name, key, repeat = (values.pop(each) for each in ("name", "key", "repeat"))
    tuned_on = _tuning_items(values.pop("tuned_on_project"), values.pop("tuned_on"))
    configuration = Configuration(**values)
    if repeat:
        if configuration != Configuration() or key or tuned_on:
            message = "A repetition has the configuration of the newest version: send the name alone."
            raise ValidationError({"repeat": [message]})
        return repeat_judge(name, actor=actor), True
    check_key_variable(configuration.key_env)
    return create_tuned_judge(name, configuration, tuned_on, key=key, actor=actor)


def _tuning_items(slug: str | None, rows: list[dict[str, Any]]) -> list[int]:
    """Return the items (primary keys) of a project and of a list. Raises ModelError and ValidationError."""
    items = []
    if slug:
        project = Project.objects.filter(slug=slug).first()
        if project is None:
            raise ValidationError({"tuned_on_project": [f"There is no project {slug!r}."]})
        items += tuning_items_of(project)
    for number, row in enumerate(rows):
        described = ItemDescription(row["response"], row["against"], row["unit"], row["item"], "", None, None, "", None)
        try:
            items.append(find_item(described))
        except BadRecord as problem:
            raise ValidationError({"tuned_on": [f"{number}: {problem}"]}) from None
    return items
