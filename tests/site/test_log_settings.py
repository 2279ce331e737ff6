import os
import subprocess
import sys


def test_commands_load_no_structured_log() -> None:
    code = (
        "import atexit, sys; from django.core.management import execute_from_command_line;"
        "atexit.register(lambda: print([name for name in ('structlog', 'rich') if name in sys.modules]));"
        "execute_from_command_line(['manage.py', 'create_token', '--help'])"
    )
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "annotation.settings", "FACTUARY_RUN_AS": "nothing"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "[]"
