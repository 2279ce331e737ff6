"""Run the Celery worker and restart it when Python code changes (`make dev`).

Called as `python -m annotation.quickstart.reload_worker ARGUMENTS`, with those of `python -m tasks`. Django's reloader
watches the modules that this process has imported. After a change it ends this process, and with it the worker, and
starts both again. A syntax error ends only the worker, until the file is saved again.
"""

import atexit
import subprocess
import sys

from django.utils import autoreload


def run_worker() -> None:
    import django

    django.setup()
    from tasks.app import app

    app.loader.import_default_modules()
    worker = subprocess.Popen([sys.executable, "-m", "tasks", *sys.argv[1:]])  # noqa: S603 - this Python; the arguments are those of this process
    atexit.register(_stop, worker)
    worker.wait()


def _stop(worker: subprocess.Popen[bytes]) -> None:
    worker.terminate()
    worker.wait()


if __name__ == "__main__":
    autoreload.run_with_reloader(run_worker)
