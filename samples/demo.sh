#!/usr/bin/env bash
# The whole story on the transcripts beside this file, in a home of its own that is removed at the end: sessions are
# captured, one of them was compacted; what was lost, what a briefing restores, and a gate that stops a refused idea.
set -euo pipefail
cd "$(dirname "$0")"
STENO_HOME=$(mktemp -d)
export STENO_HOME
trap 'rm -rf "$STENO_HOME"' EXIT

say() { printf '\n\033[2m# %s\033[0m\n' "$*"; }
step() { printf '\n\033[1m$ steno %s\033[0m\n' "${*@Q}" | sed "s/'\([a-z0-9./:-]*\)'/\1/g"; steno "$@"; }

say "Three agents left transcripts on disk. Every turn is copied once, secrets are taken out, what matters is written down."
step capture transcripts
step sessions
say "What the human said no to, in their words."
step entries --category rejected
say "The first session's context was compacted. What did that take, and what does a briefing bring back?"
step loss --session 445981df
say "The briefing: what the agent is told to go on, at most 1,000 tokens."
step brief --session 445981df
say "Later an agent is about to do what was refused, in other words."
step gate before shop-bot "add a token column to the payments table with a manual ALTER TABLE" --session 445981df
say "Any other action passes."
step gate before shop-bot "write a test for paying twice" --session 445981df
say "How to behave, learnt from what was said; what an agent is told when it starts; where the work stands."
step rules
step boot --agent shop-bot --project /home/sam/cookie-shop
step checkpoint --session 445981df
say "Everything that was given out is on record."
step receipts
say "Found again by words, and by meaning: the last question shares no word with what was said."
step recall "change the payments table by hand" -k 1
step recall "which day may we ship to the live site" -k 1
step doctor
