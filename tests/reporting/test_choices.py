"""What a lead chooses is read alike from a form, an address, a job and a command line."""

from urllib.parse import urlencode

import pytest
from django.http import QueryDict

from annotation.reporting import Choices
from annotation.reporting.parts import Filters

EVERYTHING = Choices(
    seed=3,
    resamples=500,
    cluster="document",
    answers="adjudicated",
    least_gold=0.8,
    without_raters=("ravi", "tom"),
    least_seconds=1.5,
    systems=("a = b, c", "heron"),
    metadata=(("kind", ("long", "short")), ("topic", ("tides=2",))),
)


def test_nothing_given_is_the_default_and_choices_come_back_from_a_job_and_an_address():
    assert Choices.from_mapping({}) == (Choices(), {})
    assert Choices.from_mapping(QueryDict("seed=&systems=&live=1")) == (Choices(), {})
    assert (Choices().filters(), Choices().as_params(), Choices().as_query()) == (Filters(), {}, [])
    assert Choices().is_default
    assert Choices.from_mapping(EVERYTHING.as_params()) == (EVERYTHING, {})
    assert Choices.from_mapping(QueryDict(urlencode(EVERYTHING.as_query()))) == (EVERYTHING, {})


def test_filters_are_those_that_are_set_whatever_the_order_of_names():
    assert EVERYTHING.filters() == Filters(
        answers="adjudicated",
        least_gold=0.8,
        without_raters=["ravi", "tom"],
        least_seconds=1.5,
        systems=["a = b, c", "heron"],
        metadata={"kind": ["long", "short"], "topic": ["tides=2"]},
    )
    assert not Choices(seed=2, cluster="document").filters()
    params = {"systems": ["plover", "heron", "plover"], "metadata": ["kind=b", "kind=a", "area=x"]}
    choices, _ = Choices.from_mapping(params)
    assert choices == Choices(systems=("heron", "plover"), metadata=(("area", ("x",)), ("kind", ("a", "b"))))


@pytest.mark.parametrize(
    ("params", "field", "says"),
    [
        ({"seed": "-1"}, "seed", "Choose a whole number from 0 to 4294967295."),
        ({"seed": "two"}, "seed", "'two' is not a whole number."),
        ({"seed": True}, "seed", "True is not a whole number."),
        ({"seed": ["1", "2"]}, "seed", "Enter one value, not 2."),
        ({"resamples": 99}, "resamples", "Choose a whole number from 100 to 100,000."),
        ({"cluster": "rater"}, "cluster", "'rater' is not valid: choose auto, prompt or document."),
        ({"answers": "both"}, "answers", "'both' is not valid: choose raw or adjudicated."),
        ({"least_gold": "80"}, "least_gold", "Choose a number from 0 to 1."),
        ({"least_gold": "nan"}, "least_gold", "'nan' is not a number."),
        ({"least_seconds": "-1"}, "least_seconds", "Choose a number from 0 to 1,000,000."),
        ({"least_seconds": "soon"}, "least_seconds", "'soon' is not a number."),
        ({"without_raters": [3]}, "without_raters", "3 is not a name."),
        ({"systems": ["a\x00"]}, "systems", "'a\\x00' is not a name."),
        ({"metadata": ["kind"]}, "metadata", "'kind' is not KEY=VALUE."),
        ({"metadata": {"kind": [3]}}, "metadata", "3 is not a name."),
    ],
)
def test_what_is_wrong_is_named_by_field(params, field, says):
    choices, problems = Choices.from_mapping(params)
    assert problems == {field: [says]}
    assert getattr(choices, field) == getattr(Choices(), field)


def test_choices_made_in_code_are_checked_alike():
    assert Choices(resamples=1).problems() == {"resamples": ["Choose a whole number from 100 to 100,000."]}
    assert EVERYTHING.problems() == {}
