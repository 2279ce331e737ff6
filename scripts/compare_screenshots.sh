#!/bin/sh
# Compare screenshots of every page with those of another revision: scripts/compare_screenshots.sh REVISION
# The last lines name the screenshots that differ. Chromium writes the same bytes for the same pixels.
set -eu
folder=$(mktemp -d)
git worktree add --quiet --detach "$folder/checkout" "$1"
trap 'git worktree remove --force "$folder/checkout"' EXIT

take_screenshots() {
    make -C "$1" test FACTUARY_SCREENSHOTS="$2" \
        ARGS=tests/browser/test_accessibility.py
}

take_screenshots "$folder/checkout" "$folder/before"
take_screenshots . "$folder/after"
diff -rq "$folder/before" "$folder/after" && echo "No screenshot differs."
