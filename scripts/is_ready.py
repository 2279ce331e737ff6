"""Exit with status 0 if the web server of this machine is ready: the health check of its container."""

import os
import sys
import urllib.request

# The server answers only for its host names, so the request needs one of them.
host = os.environ.get("ALLOWED_HOSTS", "localhost").split(",")[0].strip().lstrip(".")
request = urllib.request.Request("http://127.0.0.1:8000/health/ready/", headers={"Host": host})

try:
    with urllib.request.urlopen(request, timeout=8) as response:  # noqa: S310 - the address is a constant
        sys.exit(0 if response.status == 200 else 1)
except OSError as problem:
    print(problem, file=sys.stderr)
    sys.exit(1)
