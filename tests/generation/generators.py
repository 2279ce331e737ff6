"""Generators that ask a fake endpoint about a paper on terns, and what that costs."""

from decimal import Decimal

from annotation.generation.generators import create_generator
from annotation.generation.templates import DEFAULT_TEMPLATE, find_template
from annotation.models import Generator
from tests.judging.fake_endpoint import COMPLETION_TOKENS, PROMPT_TOKENS

PRICES = {"input_price": Decimal("2"), "output_price": Decimal("10")}
TOKENS = PROMPT_TOKENS + COMPLETION_TOKENS
PRICE = Decimal(PROMPT_TOKENS * 2 + COMPLETION_TOKENS * 10) / 1_000_000
PARAGRAPHS = ["Terns fly further on turbid days.", "The median range was 11.8 km."]
BIRDS = {"id": "birds", "title": "On terns", "sections": [{"heading": "Results", "paragraphs": PARAGRAPHS}]}


def answer(body):
    return "Terns fly further. It was " + body["messages"][0]["content"][-3:].strip()


def generator(dataset, endpoint, system="model-a", key="", **values):
    values = {"concurrency": 4, "timeout": 5.0, **PRICES, **values}
    template = find_template(values.pop("template", DEFAULT_TEMPLATE))
    settings = Generator(
        dataset=dataset, system=system, base_url=endpoint.url, model="tiny", template=template, **values
    )
    return create_generator(settings, key=key)[0]
