"""Exit status 0 when the web server of this machine is ready: the health check of its container."""

import os
import sys
import urllib.request

# The server answers for its own names only, so the question has to carry one of them.
host = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip(".")
question = urllib.request.Request("http://127.0.0.1:8000/health/ready/", headers={"Host": host})

try:
    with urllib.request.urlopen(question, timeout=8) as answer:  # noqa: S310 - the address stands above
        sys.exit(0 if answer.status == 200 else 1)
except OSError as problem:
    print(problem, file=sys.stderr)
    sys.exit(1)
