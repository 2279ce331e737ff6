import pytest

from annotation.site.tolerant_cache import TolerantRedisCache
from tests.cast import study


@pytest.fixture
def no_server() -> TolerantRedisCache:
    return TolerantRedisCache("redis://127.0.0.1:1/0", {"OPTIONS": {"socket_connect_timeout": 1}})


def test_without_its_server_the_cache_is_empty_and_stores_nothing(no_server, caplog):
    no_server.set("a", 1)
    assert no_server.get("a") is None and no_server.get("a", 7) == 7
    assert no_server.add("a", 1) is True and no_server.touch("a") is False and no_server.delete("a") is False
    assert "a" not in no_server and no_server.get_many(["a"]) == {} and no_server.set_many({"a": 1}) == []
    assert no_server.get_or_set("a", lambda: 5) == 5
    with pytest.raises(ValueError, match="has no number 'a'"):
        no_server.incr("a")
    assert "cache: no answer" in caplog.text


def test_with_its_server_it_is_a_cache_whose_counters_start_at_one_and_expire(valkey, no_server):
    with_server = TolerantRedisCache(valkey, {})
    with_server.set("tolerant", 2)
    assert (with_server.get("tolerant"), with_server.incr("tolerant")) == (2, 3)
    with_server.delete_many(["tolerant"])
    assert with_server.get("tolerant", "none") == "none"
    assert [with_server.count("counted", 60) for _ in range(3)] == [1, 2, 3]
    client = with_server._cache.get_client()
    assert 50 < client.ttl(with_server.make_key("counted")) <= 60
    assert no_server.count("counted", 60) is None


def test_keys_with_a_prefix_are_deleted_and_no_others(valkey, no_server):
    with_server = TolerantRedisCache(valkey, {"KEY_PREFIX": "factuary"})
    with_server.set_many({"live:1": 1, "live:2": 2, "sign-in:1": 3})
    with_server.delete_prefix("live:")
    assert with_server.get_many(["live:1", "live:2", "sign-in:1"]) == {"sign-in:1": 3}
    no_server.delete_prefix("live:")


@pytest.mark.django_db
def test_sign_in_and_pages_work_without_the_cache(client, settings):
    backend = "annotation.site.tolerant_cache.TolerantRedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": "redis://127.0.0.1:1/0"}}
    study()
    signed_in = client.post("/accounts/login/", {"login": "lena", "password": "factuary-demo"})
    assert signed_in.status_code == 302
    for address in ("/", "/projects/june/", "/projects/june/report/", "/projects/june/agreement/"):
        assert client.get(address).status_code == 200, address
