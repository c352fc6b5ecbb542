"""Capabilities: looks for what can be done where agents work, and checks whether it works."""

from steno.fleet.fleet import Fleet
from steno.home import Home
from steno.upkeep.job import Job, Moment, Report


def _run(home: Home, moment: Moment) -> Report:
    book = Fleet(home).capabilities
    before = {one.name: one.passed for one in book.all()}
    told = [one.name for one in book.all() if one.kind == "told"]
    if moment.dry:
        return Report(
            lines=(f"would look through the folders of agents, and check what people told of: {len(told):,}",)
        )
    book.scan()
    for name in told:
        if moment.stop():
            break
        book.check(name)
    now = {one.name: one for one in book.all()}
    lines = [f"found: {name}" for name in sorted(now.keys() - before.keys())]
    lines += [f"not there any more: {name}" for name in sorted(before.keys() - now.keys())]
    other = [one for one in now.values() if one.name in before and one.passed != before[one.name]]
    lines += [f"{one.sign} {one.name}{f': {one.said}' if one.said else ''}" for one in other]
    return Report(changed=len(lines), lines=tuple(lines))


JOB = Job(
    name="capabilities",
    explain=(
        "Looks through the folders agents work in and what hosts are told of, for scripts, targets, MCP servers and"
        " skills: files are read, nothing of them is run. Then runs the checks people gave for what they told of, each"
        " with its deadline. With `keychain` on, asks the machine's keychain which MCP servers and which of what people"
        " told of have an entry there: names only. What failed stands in `steno status`, at boot and at the gate."
    ),
    run=_run,
    every="hour",
)
