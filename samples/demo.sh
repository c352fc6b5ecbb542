#!/usr/bin/env bash
# The whole story on the transcripts beside this file, in a folder of its own that is removed at the end: sessions are
# captured, one of them was compacted; what was lost, what a briefing restores, and a gate that stops a refused idea.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -R "$(dirname "$0")/transcripts" "$folder"
# It belongs to no project, so all are looked at.
cd "$folder"
STENO_HOME=$folder/home
# In a pipe the pages are laid out as on a terminal of 80 columns, and without colours.
if [ -t 1 ]; then dim=$'\033[2m' bold=$'\033[1m' plain=$'\033[0m'; else dim='' bold='' plain=''; export COLUMNS="${COLUMNS:-80}"; fi
export STENO_HOME
columns=${COLUMNS:-$(tput cols 2>/dev/null || echo 80)}

say() { printf '\n'; fold -s -w "$((columns - 2))" <<<"$*" | sed "s/^/${dim}# /; s/ *\$/${plain}/"; }
step() {
  local line='$ steno' word
  for word; do [[ $word == *[!a-zA-Z0-9./:=-]* ]] && line+=" \"$word\"" || line+=" $word"; done
  fold -s -w "$((columns - 2))" <<<"$line" | sed "\$!s/ *\$/ \\\\/; s/^/${bold}/; s/\$/${plain}/"
  steno "$@"
}

say "Three agents left transcripts on disk. Steno reads them: every turn is copied once, secrets are taken out first, and what matters is written down."
step capture transcripts
echo
step sessions
say "What the human ruled and said no to, in the human's own words."
step rules
say "When a context is compacted, its agent is given a briefing."
say "This is that briefing, at most 1,000 tokens. What it quotes was said word for word; no model wrote any of it."
step brief --session 445981df
# What a hook does: the agent has it from now on.
steno brief --session 445981df --given >/dev/null
say "The first session's context was compacted: its host kept only a short summary. What was lost, and what does a briefing bring back?"
step sessions loss --session 445981df
say "Later an agent is about to do what was refused, in other words. The gate says: ask the human first."
step gate before shop-bot "add a token column to the payments table" --session 445981df
say "Found again by meaning: the question shares no telling word with what was said."
step recall "is it okay to edit billing records manually" -k 1
say "The store checks itself: nothing is missing, and every quote was really said."
step store doctor
say "That was all on samples, and is gone now. For your own sessions: steno capture --all, and to let it happen by itself: steno install."
