#!/bin/sh
# Create .venv and install a lock file into it: scripts/setup.sh requirements.lock
# Uses uv if it is available, otherwise pip. Does nothing if lock file and Python are unchanged.
set -eu

lock=$1
venv=.venv
stamp=$venv/.installed-$lock

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

is_supported() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1
}

has_venv() { "$1" -c 'import venv, ensurepip' >/dev/null 2>&1; }

uv_runs() { [ -z "${NO_UV:-}" ] && uv --version >/dev/null 2>&1; }

# Print the first Python with a supported version, preferably one with the venv module.
find_python() {
    without_venv=
    for candidate in ${PYTHON3:-} python3 python3.13 python3.12 python3.14 python3.11 python; do
        is_supported "$candidate" || continue
        if has_venv "$candidate"; then
            echo "$candidate"
            return
        fi
        without_venv=${without_venv:-$candidate}
    done
    echo "$without_venv"
}

make_venv() {
    python=$(find_python)
    [ -n "$python" ] || fail "no Python from 3.11 to 3.14 was found: install one, such as the package python3 of" \
        "Debian 12 or Ubuntu 24.04, or \`brew install python@3.13\` (PYTHON3=/path/to/python3 names one elsewhere)"
    if has_venv "$python"; then
        "$python" -m venv --clear "$venv"
    elif uv_runs; then
        uv venv --quiet --no-config --clear --python "$("$python" -c 'import sys; print(sys.executable)')" "$venv"
    else
        version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
        fail "$python has no venv module: install the package python3-venv (or python$version-venv)," \
            "such as \`apt-get install python$version-venv\`, and try again"
    fi
}

install_with_pip() {
    "$venv/bin/python" -m pip --version >/dev/null 2>&1 || "$venv/bin/python" -m ensurepip >/dev/null
    quiet=--quiet
    [ -t 2 ] && quiet=
    # shellcheck disable=SC2086
    "$venv/bin/python" -m pip install $quiet --disable-pip-version-check --require-hashes -r "$lock" >&2
}

install_lock() {
    if uv_runs; then
        uv pip install --quiet --python "$venv/bin/python" --require-hashes -r "$lock" && return
        say "uv could not install; trying pip"
    fi
    install_with_pip || fail "the packages of $lock could not be installed: the reason is above." \
        "The network must reach the package registry (PIP_INDEX_URL names another one)"
}

# Print a checksum of the lock file and the Python of .venv.
fingerprint() { { cat "$lock"; "$venv/bin/python" -VV; } | cksum; }

[ -f "$lock" ] || fail "$lock is missing: run this in the folder of the project"
is_supported "$venv/bin/python" || make_venv
if [ "$(cat "$stamp" 2>/dev/null)" != "$(fingerprint)" ]; then
    say "Installing the packages of $lock into $venv (once, and again when the lock file changes)"
    install_lock
    fingerprint >"$stamp"
fi
