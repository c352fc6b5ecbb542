"""`steno show`, `remember`, `revise`, `archive`: one entry, and a person's say over it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

import steno
from steno.cli.entries import CATEGORIES, accessed, flat
from steno.cli.exchange import exchange, weighed
from steno.cli.relay import because_option
from steno.cli.show import answer, json_option, laid_out, one_line, paragraph, print_json, say
from steno.cli.where import project_option
from steno.cli.words import in_use, many, share, when

if TYPE_CHECKING:
    from steno import Memory
    from steno.vocabulary import Entry
    from steno.vocabulary.accesses import Access, Link

_STYLES: Final = {"active": "green", "done": "cyan", "superseded": "yellow", "archived": "dim", "forgotten": "red"}
# What a person may set. `superseded` needs an entry that takes the place, `forgotten` that nothing is left.
_SETTABLE: Final = ("active", "done", "archived")
# What is known of an entry: its name, the words, and how they look.
_Fact = tuple[str, str, str]
# What has more than this left of its weight has not begun to lose it.
_FADING: Final = 0.9
_REACH: Final = {"standing": "standing: until a person says otherwise", "work": "for the piece of work at hand"}


@click.command(short_help="Show one entry, with the words it rests on.")
@click.argument("id_", metavar="ID")
@json_option
def show(id_: str, as_json: bool) -> None:
    """Show the entry ID (or the only one whose id begins so) whole.

    What it says, how sure that is, the words it rests on and where they stand, and what made the scribe propose it.
    """
    with steno.open() as memory:
        entry = memory.entry(id_)
        access, links = memory.accesses.of([entry.id]).get(entry.id), memory.accesses.links(entry.id)
        if as_json:
            more = {"access": access, "freshness": round(memory.freshness(entry.id), 3), "links": links}
            print_json(_whole(entry) | accessed(access) | more)
            return
        _head(entry)
        fresh = memory.freshness(entry.id)
        for group in (*_facts(entry), _relations(access, links, fresh)):
            if told := [fact for fact in group if fact[1]]:
                say()
            for name, value, style in told:
                say((f"{name:<11} ", "dim"), (one_line(value), style))
        _evidence(entry, _times(memory, entry))


@click.command(short_help="Tell Steno something to remember.")
@click.argument("text", nargs=-1, required=True)
@click.option("--category", type=click.Choice(CATEGORIES), required=True, help="What kind of thing it is.")
@project_option("The project it belongs to.")
@click.option("--agent", metavar="A", help="The agent it is for.")
@click.option("--domain", metavar="D", help="The field of work it belongs to, such as `WEB`.")
@because_option
@json_option
def remember(
    text: tuple[str, ...], category: str, project: str | None, agent: str | None, domain: str | None,
    because: str | None, as_json: bool,
) -> None:  # fmt: skip
    """Remember TEXT: a sentence that can be understood alone. A rebuild keeps it."""
    with steno.open() as memory:
        cause = None if because is None else memory.fleet.known(because)
        entry = memory.remember(" ".join(text), category=category, project=project, agent=agent, domain=domain)
        if cause is not None:
            memory.fleet.because(entry.id, cause)
    _tell("Remembered", entry, as_json=as_json)


@click.command(short_help="Correct an entry.")
@click.argument("id_", metavar="ID")
@click.option("--summary", metavar="TEXT", help="What it shall say.")
@click.option("--category", type=click.Choice(CATEGORIES), help="What kind of thing it is.")
@click.option("--status", type=click.Choice(_SETTABLE), help="Where it stands.")
@json_option
def revise(id_: str, summary: str | None, category: str | None, status: str | None, as_json: bool) -> None:
    """Correct the entry ID. What you reword is yours from then on: its origin is `edit`, and a rebuild keeps it."""
    if summary is None and category is None and status is None:
        raise click.UsageError("say what to change: --summary, --category or --status")
    with steno.open() as memory:
        entry = memory.revise(id_, summary=summary, category=category, status=status)
    _tell("Revised", entry, as_json=as_json)


@click.command(short_help="Lay an entry aside.")
@click.argument("id_", metavar="ID")
@json_option
def archive(id_: str, as_json: bool) -> None:
    """Lay the entry ID aside. It stays in the history; `steno revise ID --status active` brings it back."""
    with steno.open() as memory:
        entry = memory.archive(id_)
    _tell("Archived", entry, as_json=as_json)


def _tell(done: str, entry: "Entry", *, as_json: bool) -> None:
    what = f"  {entry.category}  {one_line(entry.summary)}"
    answer(flat(entry), (f"{done} ", "green"), (entry.id, "bold"), what, as_json=as_json)


def _whole(entry: "Entry") -> dict[str, Any]:
    more = ("confidence", "subject", "agent", "cue")
    return flat(entry) | {name: getattr(entry, name) for name in more}


def _head(entry: "Entry") -> None:
    at = when(entry.created_at) if laid_out() else entry.created_at or ""
    say((entry.category, "bold"), (f"  {entry.id}  {at}".rstrip(), "dim"))
    paragraph(entry.summary)


def _facts(entry: "Entry") -> Iterator[list[_Fact]]:
    """What is known of it, in groups: how sure and why, where somebody stands, who said what, where it belongs."""
    replaced = f"{entry.superseded_by}: `steno show {entry.superseded_by}`" if entry.superseded_by else ""
    yield [
        ("status", entry.status, _STYLES[entry.status]),
        ("replaced by", replaced, "yellow"),
        ("certainty", _certainty(entry), "" if entry.is_sure else "yellow"),
        ("weighed", weighed(entry) if entry.detail.weight.probability else "", ""),
        ("proposed by", entry.cue, ""),
        ("origin", entry.origin, ""),
        ("repeated", many(entry.repeated, "time") if entry.repeated else "", ""),
    ]
    said = [(name, one_line(words), "") for name, words in exchange(entry)]
    yield [fact for fact in _stance(entry) if fact[1] not in [words for _, words, _ in said]]
    yield said
    yield [
        ("tags", ", ".join(entry.tags), ""),
        ("subject", ", ".join(entry.subject), ""),
        ("domain", entry.domain, ""),
        ("project", entry.project or "", ""),
        ("agent", entry.agent or "", ""),
    ]


def _relations(access: "Access | None", links: "list[Link]", fresh: float) -> list[_Fact]:
    """How much it is used, and what it has to do with others."""
    told = [(link.kind, f"{link.id}: {link.summary or 'an integration note'}", "") for link in links]
    weight = f"{share(fresh)} in recall; a use brings it back" if fresh < _FADING else ""
    return [("accessed", in_use(access) if access else "never", ""), ("weight", weight, ""), *told]


def _certainty(entry: "Entry") -> str:
    asked = f" until you say so: `steno review {entry.id}`" if entry.waits else ""
    told = "" if entry.is_sure else f"; binds nobody{asked}"
    return f"{entry.certainty}, confidence {share(entry.confidence)}{told}"


def _stance(entry: "Entry") -> Iterator[_Fact]:
    """Where somebody stands, and what else its category keeps."""
    from steno.vocabulary.details import as_stored

    stance = entry.detail.stance
    for name in ("refused", "wanted", "why", "until"):
        yield name, one_line(getattr(stance, name)), ""
    binds = entry.category in ("rule", "rejected")
    yield "reach", _REACH[stance.reach] if binds else "", ""
    for name, value in as_stored(entry.detail).items():
        if name not in ("stance", "exchange", "weight"):
            yield name.replace("_", " "), _in_words(value), ""


def _in_words(value: Any) -> str:
    """A detail as a person reads it."""
    match value:
        case bool():
            return "yes" if value else "no"
        case list():
            return "; ".join(map(_in_words, value))
        case _:
            return str(value)


def _evidence(entry: "Entry", times: dict[int, str | None]) -> None:
    for said in entry.evidence:
        at = times.get(said.turn)
        line = f"  line {said.line}" if said.line is not None else ""
        shown = when(at) if laid_out() else at or ""
        say()
        say((said.role, "bold"), (f"  #{said.turn}  {shown}".rstrip() + f"  {said.session}{line}", "dim"))
        paragraph(said.quote)


def _times(memory: "Memory", entry: "Entry") -> dict[int, str | None]:
    """When each turn was said that the entry rests on."""
    wanted = {said.turn for said in entry.evidence}
    sessions = {said.session for said in entry.evidence}
    times = {}
    for found in memory.sessions():
        if found.session.session not in sessions:
            continue
        for turn in memory.turns(f"{found.session.source}:{found.session.session}"):
            if turn.id > max(wanted):
                break
            if turn.id in wanted:
                times[turn.id] = turn.turn.at
    return times
