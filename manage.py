#!/usr/bin/env python
"""Runs Factuary's commands: `python manage.py --help`."""

import gc
import os
import sys
import warnings


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotation.settings")
    from annotation.site.environment import RUN_AS, process_kind

    os.environ.setdefault(RUN_AS, process_kind(sys.argv[1:]))
    if os.environ[RUN_AS] == "nothing":
        # makemigrations asks the database about applied migrations and warns when there is none.
        warnings.filterwarnings("ignore", message="Got an error checking a consistent migration history")

    import django
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    try:
        # What is loaded stays: looking for garbage in it took 8 % of the time in which a command starts.
        gc.disable()
        django.setup()
        gc.enable()
        execute_from_command_line(sys.argv)
    except (ImproperlyConfigured, OperationalError) as problem:
        print(f"error: {' '.join(str(problem).split())}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
