"""Pages somebody changed: which are taken at their word, and what becomes of them."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Final

from steno.clock import as_text
from steno.home import Home
from steno.notebook.doubt import Lines, doubt
from steno.notebook.flows import FLOWS, flow_name, procedure, read_flow
from steno.notebook.merge import difference, edits
from steno.notebook.pages import AGENTS
from steno.notebook.parse import Sheet, marks_in, parse
from steno.notebook.text import mark, plain
from steno.pipeline.edits import Changed, Edits, find
from steno.pipeline.flowbook import Flowbook
from steno.pipeline.folders import last_part, path_of
from steno.pipeline.leaves import Place, Round
from steno.pipeline.notebook import Notebook, Seen
from steno.pipeline.rulebook import Rulebook
from steno.pipeline.wanted import Wanted
from steno.pipeline.writers import Writers
from steno.store.pages import Folder, Waiting, held_id
from steno.vocabulary import Entry, HeldPage, Writer
from steno.vocabulary.acts import EDITOR
from steno.vocabulary.errors import UnknownEntry, WrongUse
from steno.vocabulary.notebooks import Held, Synced, Taken

ASKS: Final = "`steno review` asks what is meant"


class Intake:
    """Takes changed pages in."""

    def __init__(
        self, home: Home, rulebook: Rulebook, flowbook: Flowbook, wanted: Wanted, look: Callable[[], object]
    ) -> None:
        self._home, self._store, self._pages, self._root = home, home.store, home.store.pages, home.notebook
        self._rulebook = rulebook
        self._flowbook = flowbook
        self._wanted = wanted
        self._clock, self._clean = home.clock, home.clean
        self._writers = Writers(home)
        # Reads on in transcripts, so that the journal knows what agents do now.
        self._look = look

    def take_in(self, one: Round, *, deleted: bool, meant: Waiting | None = None) -> None:
        """What people changed. `deleted`: they meant to delete that much; `meant`: a page they said is meant."""
        waiting = {page.place: page for page in self._pages.held()}
        found: list[tuple[Changed, Seen]] = []
        for folder in one.folders:
            for name, page in one.seen[folder.folder].items():
                place = (folder.folder, name)
                ours, held = one.written.get(place), waiting.get(place)
                if page.problem and not (ours and ours.hash == page.hash):
                    one.changed[place] = None
                    one.synced.held.append(Held(page=path_of(*place), reason=page.problem))
                elif held is not None or ours is None or ours.hash != page.hash:
                    base = self._pages.text(*place)
                    found.append(
                        (self._changed(folder, name, base if base is not None else held and held.ours, page), page)
                    )
        if any(changed.place not in waiting or waiting[changed.place].hash != page.hash for changed, page in found):
            self._look()
        find(changed for changed, _ in found)
        reasons = self._reasons(found, waiting, deleted=deleted, meant=meant)
        for changed, page in found:
            place = changed.place
            one.changed[place] = None if place in reasons else changed
            if place in reasons:
                asked = self._hold(changed, page, *reasons[place], waiting.get(place))
                one.waiting.add(place)
                one.synced.held.append(Held(page=asked.page, reason=asked.reason, hint=ASKS))
        with self._home.acting(EDITOR):
            self._apply([page for page in one.changed.values() if page is not None], one.synced)
        for place, held in waiting.items():
            if place not in reasons and (place not in one.changed or one.changed[place] is not None):
                if place not in one.changed:  # the file is gone, with what was not taken in
                    Notebook(self._root, held.asked.folder).keep(held.asked.name, held.found)
                self._pages.let_go(held)

    # -- at their word, or not ---------------------------------------------------------------------------------------

    def _reasons(
        self,
        found: list[tuple[Changed, Seen]],
        waiting: Mapping[Place, Waiting],
        *,
        deleted: bool,
        meant: Waiting | None,
    ) -> dict[Place, tuple[str, Writer | None]]:
        """Why pages wait, and who changed them. A file is taken whole or not at all."""
        reasons: dict[Place, tuple[str, Writer | None]] = {}
        touched = {edit.block.id or "" for page, _ in found for edit in page.edits if edit.was or edit.act == "gone"}
        binding = self._binding(touched)
        agents = {id_ for page, _ in found for id_ in page.below(AGENTS)}
        marks = {id_ for _, seen in found for id_ in marks_in(seen.text)}
        prose = plain("\n".join(text for page, _ in found for text in (*page.now.titles(), *page.now.prose())))
        new = {page.place for page, _ in found if any(edit.act in ("new", "came") for edit in page.edits)}
        for page, seen in found:
            if meant is not None and (page.place, seen.hash) == (meant.place, meant.hash):
                continue
            who = self._writer(page, seen, waiting)
            if who is not None:
                reasons[page.place] = (f"was changed by an agent ({who.source})", who)
            elif not deleted:
                elsewhere = bool(new - {page.place})
                lines = Lines(page.items.keys(), agents, binding, marks, prose, elsewhere)
                why, held = doubt(page.name, page.base, page.now, page.edits, lines), waiting.get(page.place)
                if not why and held is not None and held.hash == seen.hash:
                    # What it waited for was put back, and its lines stand nowhere now.
                    gone = any(edit.act == "gone" and edit.block.id in page.items for edit in page.edits)
                    why = held.asked.reason if gone else ""
                if why:
                    reasons[page.place] = (why, None)
        # A page whose lines went to one that waits, waits with it.
        while more := self._left_for(found, reasons, meant):
            reasons |= more
        return reasons

    def _left_for(
        self,
        found: list[tuple[Changed, Seen]],
        reasons: Mapping[Place, tuple[str, Writer | None]],
        meant: Waiting | None,
    ) -> dict[Place, tuple[str, Writer | None]]:
        went = {
            edit.block.id: page.path
            for page, _ in found
            if page.place in reasons
            for edit in page.edits
            if edit.act == "moved"
        }
        more: dict[Place, tuple[str, Writer | None]] = {}
        for page, _ in found:
            before = {block.id for _, block in page.base.items()} if page.base else set()
            there = sorted(went[id_] for id_ in before & went.keys())
            if there and page.place not in reasons and not (meant and page.place == meant.place):
                more[page.place] = (f"has lost lines to {there[0]}, which waits", None)
        return more

    def _writer(self, page: Changed, seen: Seen, waiting: Mapping[Place, Waiting]) -> Writer | None:
        """The agent that changed a page. What one did is an agent's until it is gone, whoever saves or copies it."""
        done, held = _doings(page.base, page.now), waiting.get(page.place)
        if not done:
            return None
        if held is not None and held.hash == seen.hash:
            return held.asked.who
        if who := self._writers.of(self._root / page.path, _when(seen)):
            return who
        theirs = [one for one in waiting.values() if one.theirs is not None]
        # What is kept is without secrets.
        done = _doings(page.base, parse(self._clean(seen.text))) if theirs else done
        for one in theirs:
            if _share(done, _doings(parse(one.ours or ""), parse(one.theirs or ""))):
                return one.asked.who
        return None

    def _binding(self, ids: Iterable[str]) -> set[str]:
        """Those of some entries that hold until a person ends them: critical rules and refusals."""
        entries = [entry for entry in self._store.entries.some(ids) if entry.status == "active"]
        return {entry.id for entry in entries if entry.category == "rejected" or self._is_critical(entry)}

    def _is_critical(self, entry: Entry) -> bool:
        if entry.category != "rule":
            return False
        try:
            return self._rulebook.one(entry.id).status == "critical"
        except UnknownEntry:
            return False

    def _hold(self, page: Changed, seen: Seen, reason: str, who: Writer | None, before: Waiting | None) -> HeldPage:
        """Put a page before a person, once for what it says now."""
        if before is not None and (before.hash, before.asked.reason, before.asked.who) == (seen.hash, reason, who):
            return before.asked
        ours = None if page.base is None else page.base.text
        found = self._clean(seen.text)
        asked = HeldPage(
            id=held_id(*page.place, seen.hash), folder=page.folder, name=page.name, project=page.project or "",
            reason=reason, who=who, at=_when(seen), diff=difference(self._clean(ours or ""), found),
        )  # fmt: skip
        same = before is not None and before.asked.who == who
        theirs = None if who is None else before.theirs if before and same else found
        self._pages.hold(Waiting(asked, seen.hash, found, ours, theirs))
        return asked

    # -- what becomes of them ----------------------------------------------------------------------------------------

    def _apply(self, pages: list[Changed], synced: Synced) -> None:
        edits = Edits(self._store, self._clock, self._clean, synced)
        edits.take(page for page in pages if not page.name.startswith(f"{FLOWS}/"))
        for page in pages:
            if page.name.startswith(f"{FLOWS}/"):
                self._take_flow(page, synced)
            else:
                edits.notes(page)
        if synced.edits or synced.conflicts:
            self._rulebook.settle()

    def _changed(self, folder: Folder, name: str, base: str | None, page: Seen) -> Changed:
        return Changed(
            folder=folder.folder,
            name=name,
            project=folder.project or None,
            agent=folder.agent or None,
            base=None if base is None else parse(base),
            now=parse(page.text),
            wanted=self._wanted.page(folder, name),
        )

    def _take_flow(self, page: Changed, synced: Synced) -> None:
        """A new file is a new flow, a changed one a new version of it."""
        said, name = read_flow(page.now.text), flow_name(last_part(page.name))
        known = {flow.name: flow for flow in self._flowbook.all()}
        flow = known.get(name)
        if not said.steps or (flow and procedure(flow) == said):
            return
        try:
            if flow is None:
                self._flowbook.add(name, said.steps, said.triggers, agent=page.agent, project=page.project)
            elif (flow.project, flow.agent) != (page.project, page.agent):
                return
            elif page.base is None or procedure(flow) == read_flow(page.base.text):
                self._flowbook.edit(name, steps=said.steps, triggers=said.triggers)
            elif said != read_flow(page.base.text):
                name = f"{name}-{mark(*said.steps)[:4]}"
                self._flowbook.add(name, said.steps, said.triggers, agent=page.agent, project=page.project)
                synced.conflicts.append(Taken(act="flow", page=page.path, id=name, text="; ".join(said.steps)))
                return
            else:
                return
        except WrongUse as error:
            synced.held.append(Held(page=page.path, reason=error.message, hint=error.hint or ""))
            return
        synced.edits.append(Taken(act="flow", page=page.path, id=name, text="; ".join(said.steps)))


def _when(seen: Seen) -> str:
    return as_text(datetime.fromtimestamp(seen.changed_ns / 1e9, UTC))


def _doings(base: Sheet | None, now: Sheet) -> set[tuple[str, bool | None]]:
    """What was done to a page, comparable wherever it stands by now: ids of lines that went; words of lines and of
    prose that came, went or changed, with their boxes."""
    prose = set(base.prose() if base else []) ^ set(now.prose())
    found = {
        (edit.block.id or "", None) if edit.act == "gone" else (plain(edit.block.text), edit.block.box)
        for edit in edits(base, now)
    }
    return found | {(plain(text), None) for text in prose}


def _share(one: set[tuple[str, bool | None]], other: set[tuple[str, bool | None]]) -> bool:
    """Whether some of what was done is the same, or a part of it."""
    mine, theirs = [text for text, _ in one - other if text], [text for text, _ in other if text]
    all_mine, all_theirs = "\n".join(mine), "\n".join(theirs)
    return bool(one & other) or any(text in all_theirs for text in mine) or any(text in all_mine for text in theirs)
