import pickle
from typing import Any

import pytest
import redis

from annotation.settings import CACHES
from annotation.site.tolerant_cache import PlainSerializer
from tests.cast import person, study
from tests.web.pages import rates


@pytest.mark.parametrize("value", [3, 0.25, "é <svg>", True, None, [1.5, "a"], {"a": [1]}, b"\x89PNG\r\n", b""])
def test_a_value_is_read_as_it_was_written_and_an_integer_as_digits_for_the_server_to_count(value: object) -> None:
    assert PlainSerializer().loads(PlainSerializer().dumps(value)) == value
    assert PlainSerializer().dumps(41) == b"41"


def test_a_pickle_is_refused() -> None:
    with pytest.raises(ValueError):
        PlainSerializer().loads(pickle.dumps(print))
    with pytest.raises(TypeError):
        PlainSerializer().dumps(print)


@pytest.mark.django_db
def test_pages_store_no_pickles_and_are_the_same_from_the_cache(client: Any, settings: Any, valkey: str) -> None:
    settings.CACHES = {"default": CACHES["default"] | {"LOCATION": valkey}}
    june = study(prompts=2)
    for name in ("ravi", "rosa"):
        rates(person(name), june.project)
    client.post("/accounts/login/", {"login": "lena", "password": "factuary-demo"})
    figures = [f"report/figures/options-light.{kind}" for kind in ("svg", "png")]
    pages = ["", "report/", "agreement/", *figures, "raters/", "raters/ravi/", "plan/", "late/"]
    addresses = [f"/projects/june/{page}" for page in pages]
    first, second = ([client.get(address) for address in addresses] for _ in range(2))
    assert {answer.status_code for answer in first} == {200}
    assert first[4].content == second[4].content
    with redis.Redis.from_url(valkey) as server:
        kinds = {key: server.type(key) for key in server.scan_iter("factuary:*")}
        stored = [server.get(key) for key, kind in kinds.items() if kind == b"string"]
    assert len(stored) > 6
    assert not [value for value in stored if value.startswith(b"\x80")]
