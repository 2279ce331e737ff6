"""The web server's settings; gunicorn reads this file by itself. WEB_CONCURRENCY sets the number of
processes.
"""

import os

bind = f"0.0.0.0:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_CONCURRENCY") or min(4, os.cpu_count() or 1))
worker_class = "gthread"
threads = 4
# Loading the site before the processes divide shares its memory, and bad settings end the start with one
# line.
preload_app = True
timeout = 60
graceful_timeout = 5
max_requests = 20_000
max_requests_jitter = 2_000
# Kept open longer than a proxy's connection, so that the proxy is the one to close it.
keepalive = 75
control_socket_disable = True
# Signs of life are files: in memory, so that a busy disk does not look like a dead process.
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - each file gets a name of its own
wsgi_app = "annotation.wsgi:application"
