#!/usr/bin/env bash
# The main job on the transcripts beside this file, in a home of its own that is removed at the end.
set -euo pipefail
cd "$(dirname "$0")"
STENO_HOME=$(mktemp -d)
export STENO_HOME
trap 'rm -rf "$STENO_HOME"' EXIT

step() { printf '\n\033[1m$ steno %s\033[0m\n' "$*"; steno "$@"; }

step capture transcripts
step sessions
step recall "customers charged twice when they press back" -k 3
step recall "change the payments table by hand" -k 2
step entries --category rejected
step checkpoint --session 445981df
step status
step capture transcripts
step doctor
# Asked in other words than were said.
step recall "which day may we ship to the live site" -k 1
