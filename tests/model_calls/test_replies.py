"""What a process loads for judges before one rates, and what of an answer can be stored."""

import os
import subprocess
import sys

import pytest

from annotation.model_calls.replies import storable

ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "annotation.settings", "FACTUARY_RUN_AS": "nothing"}


@pytest.mark.parametrize(
    ("code", "module"),
    [
        ("import annotation.wsgi", "openai"),
        ("import django, tasks.app; django.setup(); import tasks.judging", "openai"),
        ("import django; django.setup(); import annotation.projects.members", "numpy"),
    ],
)
def test_a_site_loads_neither_the_client_of_models_nor_numpy_before_it_needs_them(code: str, module: str) -> None:
    program = f"{code}; import sys; print({module!r} in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], env=os.environ | ENVIRONMENT, capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_a_text_is_stored_without_nul_and_halves_of_pairs() -> None:
    assert storable("a\x00b\ud800c") == "a\ufffdb?c"
