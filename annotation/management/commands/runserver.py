"""Serve pages for developers, with a restart when code changes."""

from contextlib import suppress
from typing import Any

from django.contrib.staticfiles.management.commands.runserver import Command as StaticFilesRunserver
from django.urls import get_resolver


class Command(StaticFilesRunserver):
    def run(self, **options: Any) -> None:
        """Load all pages, then start the server's threads.

        Two threads would load them at the same time otherwise, the server and the reloader. Python then gives one of
        them modules that are loaded in part (https://github.com/python/cpython/issues/83065), and the server ends.
        """
        with suppress(Exception):  # the server reports an error in the code, and waits for the next change
            get_resolver().url_patterns  # noqa: B018 - the property loads them
        super().run(**options)
