"""Every route answers every kind of user as the table of tests/routes.py says."""

from collections import Counter
from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client, RequestFactory
from django.urls import URLPattern, URLResolver, get_resolver, resolve
from drf_spectacular.generators import SchemaGenerator

from tests.cast import person, signed_in
from tests.routes import LINES, WHO, ask, create_site, placeholders, undone, without_jobs

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def site(module_rows, tmp_path_factory):
    schema = SchemaGenerator().get_schema(request=None, public=True)
    with without_jobs(tmp_path_factory.mktemp("media")), pytest.MonkeyPatch.context() as patch:
        patch.setattr(SchemaGenerator, "get_schema", lambda *values, **named: schema)  # half a second each time
        made = create_site()
        signed_in("ada").get("/protocols/")  # the first visitor stores the built-in protocols
        yield made


def client_of(who: str) -> Client:
    """Return a client whose requests fail with status 500, so that all routes are asked."""
    client = Client() if who == "nobody" else signed_in(who)
    client.raise_request_exception = False
    return client


def changed_rows() -> Counter[str]:
    """Return how many rows of each table the transaction has changed up to now, receipts of requests left out."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_xact_user_tables "
                       "WHERE relname <> 'annotation_idempotentrequest'")  # fmt: skip
        return Counter(dict(cursor.fetchall()))


@pytest.mark.parametrize("who", WHO)
def test_everybody_gets_what_is_theirs(site, who):
    client, wrong = client_of(who), []
    session = {name: cookie.value for name, cookie in client.cookies.items()}
    for method, address, *expected in LINES:
        client.cookies.clear()
        client.cookies.load(session)
        status = expected[WHO.index(who)]
        with undone():
            is_refused = status in ("401", "403", "404")
            before = changed_rows() if is_refused else Counter()
            answer = ask(client, method, address.format(**site))
            changed = changed_rows() - before if is_refused else Counter()
        wrong += [f"{method} {address} is refused, and changed {dict(changed)}"] * bool(changed)
        wrong += [f"{method} {address}: {answer.status_code}, not {status}"] * (str(answer.status_code) != status)
        is_page = not address.startswith(("/accounts/", "/admin/logout/", "/language/"))
        if who == "nobody" and status == "302" and is_page:
            to_login = answer.url.startswith(("/accounts/login/?next=", "/admin/login/?next="))
            wrong += [f"{method} {address} leads to {answer.url}"] * (not to_login)
    assert wrong == []


def test_an_admin_with_a_token_for_leading_gets_what_leads_get(site):
    """Routes of a rater's work are refused to such a token."""
    client, wrong = client_of("nobody"), []
    for method, address, *expected in LINES:
        if not address.startswith("/api/v1/") or address == "/api/v1/tokens/{token}/":
            continue
        path = address.format(**site)
        is_work = getattr(resolve(path.partition("?")[0]).func.view_class, "for_raters", False)
        status = "403" if is_work and method not in ("GET", "HEAD") else expected[WHO.index("lena")]
        with undone():
            answer = ask(client, method, path, Authorization=f"Token {site['leading']}")
        wrong += [f"{method} {address}: {answer.status_code}, not {status}"] * (str(answer.status_code) != status)
    assert wrong == []


def routes(patterns: list, before: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            yield before + str(pattern.pattern).removeprefix("^")
        elif isinstance(pattern, URLResolver):
            yield from routes(pattern.url_patterns, before + str(pattern.pattern).removeprefix("^"))


def test_no_route_is_missing():
    names = placeholders()
    covered = {resolve(address.format(**names).split("?")[0]).route for _, address, *_ in LINES}
    missing = sorted(set(routes(get_resolver().url_patterns)) - covered)
    assert not missing, f"add to TABLE in tests/routes.py for each of: {missing}"


def test_other_methods_do_nothing(site):
    """The view itself refuses them, so that one request of each kind is enough for what is around the views."""
    listed: dict[str, set[str]] = {}
    for method, address, *_ in LINES:
        if not address.startswith(("/admin/", "/accounts/")):
            listed.setdefault(address.split("?")[0], set()).add(method)
    ada, wrong = person("ada"), []
    for address, methods in listed.items():
        path = address.format(**site)
        view, args, kwargs = resolve(path)
        for method in sorted({"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - methods):
            request = RequestFactory().generic(method, path)
            request.user = request._force_auth_user = ada
            status = view(request, *args, **kwargs).status_code
            wrong += [f"{method} {address}: {status}"] * (status != 405)
    assert wrong == []
    client = signed_in("ada")
    for address in ("/projects/june/", "/api/v1/projects/june/jobs/"):
        assert {client.generic(method, address).status_code for method in ("PUT", "DELETE", "TRACE")} == {405}
