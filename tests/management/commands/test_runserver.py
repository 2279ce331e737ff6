import pytest
from django.core.management.commands import runserver as django_runserver

from annotation.management.commands import runserver


def test_pages_are_loaded_before_the_threads_of_the_server_start(monkeypatch: pytest.MonkeyPatch) -> None:
    events = []

    class Resolver:
        @property
        def url_patterns(self) -> list[object]:
            events.append("pages")
            raise SyntaxError("a change that is not complete")  # the server waits for the next change

    monkeypatch.setattr(runserver, "get_resolver", Resolver)
    monkeypatch.setattr(
        django_runserver.autoreload, "run_with_reloader", lambda *_, **__: events.append("server and reloader")
    )

    runserver.Command().run(use_reloader=True)

    assert events == ["pages", "server and reloader"]
