#!/bin/sh
# Run all checks except the tests. The last line names the checks that failed.
set -u

python=${PYTHON:-.venv/bin/python}
bin=$(dirname "$python")
failed=
start=$(date +%s)
schema=$(mktemp)
trap 'rm -f "$schema"' EXIT

check() {
    name=$1
    before=$(date +%s)
    shift
    if output=$("$@" 2>&1); then
        echo "ok      $name, $(($(date +%s) - before)) s"
    else
        printf 'FAILED  %s: %s\n%s\n' "$name" "$*" "$output"
        failed="$failed $name"
    fi
}

# The settings of an installation; nothing connects to these addresses.
installation() {
    env FACTUARY_RUN_AS=server DATABASE_URL=postgresql://factuary:none@localhost/factuary \
        BROKER_URL=redis://localhost:6379/0 ALLOWED_HOSTS=factuary.example.org BEHIND_TLS_PROXY=1 LOOPBACK_ONLY=0 \
        DEBUG=0 CSRF_TRUSTED_ORIGINS=https://factuary.example.org MEDIA_ROOT=/var/lib/factuary/media \
        SECRET_KEY="$("$python" -c 'import secrets; print(secrets.token_urlsafe(60))')" "$@"
}

schema_is_valid() {
    "$python" manage.py spectacular --validate --fail-on-warn --file "$schema" || return 1
    "$python" scripts/released_interface.py "$schema"
}

check ruff "$bin/ruff" check --quiet .
check format "$bin/ruff" format --check --quiet .
check "mypy of the client" "$bin/mypy" --no-error-summary --config-file clients/python/pyproject.toml clients/python/src \
    clients/python/generate_records.py
check mypy env FACTUARY_RUN_AS=nothing "$bin/mypy" --no-error-summary annotation tasks benchmarks faults manage.py gunicorn.conf.py
check bandit "$bin/bandit" --quiet --configfile pyproject.toml --recursive annotation tasks scripts manage.py gunicorn.conf.py
check imports "$bin/lint-imports" --no-cache
check javascript-types scripts/node_tool.sh typescript/bin/tsc --project .
check javascript-format scripts/node_tool.sh prettier/bin/prettier.cjs --log-level warn --check static/js types \
    tests/javascript/*.js eslint.config.js
check javascript-style scripts/node_tool.sh eslint/bin/eslint.js static/js tests/javascript eslint.config.js
check templates "$bin/djlint" templates --lint --quiet
check "template format" "$bin/djade" --check $(find templates -name "*.html" -o -name "*.txt")
check migrations env FACTUARY_RUN_AS=nothing "$python" manage.py makemigrations --check --dry-run
check deploy installation "$python" manage.py check --deploy --fail-level WARNING
check openapi schema_is_valid
check "client records" "$python" clients/python/generate_records.py --check "$schema"

echo "in $(($(date +%s) - start)) s"
[ -z "$failed" ] || { echo "failed:$failed"; exit 1; }
