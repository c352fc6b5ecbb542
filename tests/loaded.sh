#!/bin/sh
# The suite on a busy machine, again and again: beside busy loops, behind everybody else, and with SIGINT ignored (what a
# shell starts in the background inherits that). Stops at the first run that is red. `TIMES=1 LOOPS=8 make test-loaded`.
#
# One step of `nice`: a loop gets 1.25 times as much of a processor as a test. Beside four loops on two cores the suite
# then has about a quarter of them; with ten steps it would have a thirtieth, and a run would take hours.
set -u
times=${TIMES:-5} loops=${LOOPS:-4} python=$1
begun=
# shellcheck disable=SC2086
trap 'kill $begun 2>/dev/null' EXIT
trap 'exit 130' HUP INT TERM

for _ in $(seq "$loops"); do
    "$python" -c 'while True: pass' &
    begun="$begun $!"
done
for run in $(seq "$times"); do
    echo "run $run of $times, beside $loops busy loops"
    nice -n 1 "$python" -m pytest -n 2 &
    suite=$! before=$begun
    begun="$before $suite"
    wait "$suite" || { echo "red: run $run of $times"; exit 1; }
    begun=$before
done
echo "green: $times of $times"
