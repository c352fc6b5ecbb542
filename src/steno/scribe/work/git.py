"""Git repositories: branch, head, whether it was pushed, what is uncommitted, from what git was told and printed.

`git.toml` says what each line means. A command that prints none of its lines counts as done if nothing says that it
failed. What may have changed without a word is not known from then on.
"""

import posixpath
import re
import tomllib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec import structs

from steno.scribe.work.repo import Repo
from steno.scribe.work.shell import Step, Went, placed, sections, steps
from steno.vocabulary import Repository

_REPOSITORIES: Final = 20
_READ: Final = 10_000
_PROGRAMS: Final = ("git", "gt")

_TOLD: Final = tomllib.loads(Path(__file__).with_name("git.toml").read_text("utf-8"))
LINES: Final = [(told, re.compile(told["line"], re.MULTILINE)) for told in _TOLD["lines"].values()]
# A folder with the same repository, as it is listed, and as it is made.
_WORKTREE: Final = re.compile(r"^(\S{1,300}) {1,80}([0-9a-f]{7,40}) \[([^\]\n]{1,200})\]", re.MULTILINE)
_PREPARED: Final = re.compile(
    r"^Preparing worktree \((?:new branch|checking out|resetting branch) '([^'\n]{1,200})'", re.M
)
_HEAD_AT: Final = re.compile(_TOLD["lines"]["head_at"]["line"], re.MULTILINE)
_FAILED: Final = re.compile(
    r"^(?:fatal|error|ERROR|hint): |^ ?! \[|^CONFLICT |: command not found|^husky - [\w-]{1,30} (?:script|hook) "
    r"|^- exit code: [1-9]", re.MULTILINE
)  # fmt: skip
# What of a commit is left where only its last lines are shown.
_COUNTED: Final = re.compile(r"^ (?:\d{1,9} files? changed|(?:create|delete) mode |rename )", re.MULTILINE)
_CUT: Final = re.compile(r"truncated|^\.\.\.$|…", re.MULTILINE)
_SHOWN_BRANCH: Final = re.compile(
    r"^(?:On branch (\S{1,200})$|## (\S{1,200}?)(?:\.\.\.|$)|\[(?!detached)(\S{1,200}) )", re.M
)
_SHAPE: Final = re.compile(r"oneline|medium|full|[=:]%[hH]( %s|$|[^ ])")
_HASH: Final = re.compile(r"[0-9a-f]{7,40}")
_BRANCH: Final = re.compile(r"[\w][\w./@+#-]{0,199}")
_EARLIER: Final = re.compile(r"(?:HEAD|@)[~^@]|[0-9a-f]{7,40}$|origin/|[\w/.-]+[~^]")
# With these a log begins with another commit than the head.
_OTHER_LOG: Final = tuple(
    "--all --not --author --grep -S -G --reverse --merges --no-merges --since --until --after --before --skip "
    "--branches --remotes --tags --follow -L -g --diff-filter".split()
)
# Programs that may leave other files than they found, and name none.
_REWRITES: Final = re.compile(
    r"(?:(?:npm|pnpm|yarn|bun|npx|uvx|pnpx|pipx|rtk|uv run|poetry run|bundle exec|pnpm (?:exec|dlx)) )*(?:"
    r"(?:npm|pnpm|yarn|bun|uv|poetry|cargo|bundle|pod|composer|go|mix|dart|flutter|gem|deno) "
    r"(?:i|install|ci|add|remove|rm|uninstall|update|up|upgrade|dedupe|lock|sync|get|mod|pub|fmt)\b"
    r"|(?:ncu|npm-check-updates) |(?:\S{1,80} ){0,4}(?:--fix|--write|format|fmt|generate|codegen)\b"
    r"|(?:black|isort|gofmt -w|rustfmt|prisma|alembic|oxfmt)\b)"
)
_LOOKS: Final = frozenset("log show rev-list reflog shortlog blame diff grep stash worktree".split())
_ONLY_LOOKS: Final = _LOOKS | {"status", "branch", "rev-parse", "remote", "fetch"}


class Repositories:
    """The repositories of a session; the one worked in last is last."""

    def __init__(self, state: Any = None, now: int = 0) -> None:
        self._repos = msgspec.convert(state or [], list[Repo])
        # The session's folder, the branch its host recorded, and whether it records that with every turn.
        self.folder, self.branch, self.live = "", "", False
        # The turn that was taken last.
        self.now = now

    @property
    def state(self) -> Any:
        return msgspec.to_builtins(self._repos)

    def listed(self) -> list[Repository]:
        """What is known of each."""
        last = self.current()
        known = {one.folder: _shown(one) for one in self._repos if one is last or one.branch or one.head or one.whole}
        own = known.get(self.folder)
        if own is None:
            return [
                *([Repository(folder=self.folder, branch=self.branch, turn=0)] if self.branch else []),
                *known.values(),
            ]
        seen = next(repo.seen for repo in self._repos if repo.folder == self.folder)
        if own.branch is None and self.branch:
            known[self.folder] = structs.replace(own, branch=self.branch)
        elif self.live and self.now > seen and self.branch not in ("", "HEAD", own.branch):
            # It was switched where nobody saw it.
            known[self.folder] = Repository(folder=self.folder, branch=self.branch, turn=own.turn)
        return list(known.values())

    def ran(self, command: str, cwd: str | None, outcome: Went, text: str, turn: int) -> None:
        """A command has ended."""
        run = steps(command)
        if any(_REWRITES.match(step.text) for step in run) and (repo := self.current()):
            repo.loses()
        if not any(step.program in _PROGRAMS for step in run):
            return
        for those, lines in sections(run, _ends(text)):
            here: dict[str, list[Step]] = {}
            for step in those:
                where = None if cwd is None or step.at is None else placed(step.at, cwd)
                if step.program in _PROGRAMS and where is not None:
                    here.setdefault(where, []).append(step)
            for where, own in here.items():
                # Of several repositories in one output only the order of the lines could tell which is which.
                shown = lines if len(here) == 1 else []
                repo = self._repo(where, own, "\n".join(shown), turn)
                if repo is not None:
                    well = not outcome.failed and len(here) == 1
                    inside = where.removeprefix(repo.folder).strip("/") if where.startswith(repo.folder) else ""
                    _Reading(self, repo, those, shown, turn, well=well).read(own, inside)

    def edited(self, path: str, act: str) -> None:
        """A file was written, edited or deleted."""
        path = path.replace("\\", "/")
        if self.branch and path.startswith(f"{self.folder}/"):
            self.add(self.folder, 0)
        repo = self._around(path)
        name = path.removeprefix(f"{repo.folder}/") if repo else ""
        if repo is None or name.startswith(("/", "~", "../", ".git/")) or name[1:3] == ":/":
            return
        was = repo.changed.get(name)
        if act == "deleted" and was == "?":
            del repo.changed[name]
        else:
            repo.mark([name], "?" if was == "?" or (was is None and act == "created") else "M")
        self.works_in(repo)

    def unsure(self, text: str) -> None:
        """Somebody else worked there, and says so."""
        for repo in self._repos:
            repo.loses()
            if any(word in text.lower() for word in ("commit", "push", "merge")):
                repo.moves()

    def current(self) -> Repo | None:
        """The one worked in last."""
        return self._repos[-1] if self._repos else None

    def works_in(self, repo: Repo) -> None:
        self._repos = [*(one for one in self._repos if one is not repo), repo][-_REPOSITORIES:]

    def add(self, folder: str, turn: int) -> Repo:
        """A repository nobody saw before; it is not worked in yet."""
        known = next((repo for repo in self._repos if repo.folder == folder), None)
        if known is None:
            known = Repo(folder=folder, turn=turn)
            self._repos.insert(max(len(self._repos) - 1, 0), known)
        return known

    def forget(self, folder: str | None) -> None:
        """A folder is gone."""
        self._repos = [repo for repo in self._repos if repo.folder != folder]

    def _around(self, path: str) -> Repo | None:
        """The innermost known repository that holds a path."""
        if path[:1] not in ("/", "~") and path[1:3] != ":/":
            return self.current()
        inside = (repo for repo in self._repos if f"{path}/".startswith(f"{repo.folder}/"))
        return max(inside, key=lambda repo: len(repo.folder), default=None)

    def _repo(self, where: str, own: Sequence[Step], text: str, turn: int) -> Repo | None:
        """The repository in a folder; one that nobody saw yet begins there."""
        if "not a git repository" in text:
            return None
        found = self._around(where or self.folder)
        if found is None and self.folder and f"{where}/".startswith(f"{self.folder}/"):
            found = self.add(self.folder, turn)
        elif found is None or (where not in ("", found.folder) and _is_another(found, own, text)):
            found = self.add(where or self.folder, turn)
        if not all(step.verb in _ONLY_LOOKS for step in own):
            self.works_in(found)
        return found


def _is_another(repo: Repo, own: Sequence[Step], text: str) -> bool:
    """Whether a folder below a repository holds another one: its branch is not the same."""
    branch = _SHOWN_BRANCH.search(text)
    stays = all(step.verb in ("status", "commit", "add", "log", "diff", "push") for step in own)
    return bool(stays and branch and repo.branch and repo.branch not in branch.groups())


def _ends(text: str) -> str:
    return text if len(text) <= _READ * 2 else f"{text[:_READ]}\n…\n{text[-_READ:]}"


def _shown(repo: Repo) -> Repository:
    known = repo.whole or (repo.whole is None and repo.changed)
    same = {name: getattr(repo, name) for name in Repository.__struct_fields__}
    return Repository(**{**same, "changed": list(repo.changed) if known else None})


class _Reading:
    """What some commands did to one repository, and what they printed."""

    def __init__(
        self, all_: Repositories, repo: Repo, those: Sequence[Step], lines: Sequence[str], turn: int, *, well: bool
    ) -> None:
        self._all, self._repo, self._those, self._lines, self._turn = all_, repo, those, lines, turn
        self._text = "\n".join(lines)
        self._well = well and not _FAILED.search(self._text)
        # How far each kind of line was read, and how the paths below a heading differ.
        self._read_to: dict[str, int] = {}
        self._sign = ""

    def read(self, own: Sequence[Step], inside: str) -> None:
        """Each step in order: what it says without words, what it printed, and what it must have done."""
        # Where they ran, as seen from the repository.
        self._inside = inside
        before = self._repo.branch
        for at, step in enumerate(own):
            if {"--help", "--dry-run", "--abort", "-h"} & {*step.words}:
                continue
            given = step.arguments
            self._begins(step, given, own)
            left = sum(one.verb == step.verb for one in own[at:])
            printed = self._prints(step.verb, left)
            self._did(step, given, printed=printed)
            looked = any(one.verb in _LOOKS for one in own[:at])
            if step.verb in ("log", "show") and not looked and self._names_head(step, given):
                self._prints("its-log", 0)
        # A hook may push what was committed.
        self._prints("push", 0)
        self._repo.turn = self._turn
        if self._repo.branch != before or _SHOWN_BRANCH.search(self._text):
            self._repo.seen = self._all.now

    # -- lines -------------------------------------------------------------------------------------------------------

    def _prints(self, verb: str, left: int) -> bool:
        """Reads the lines a step printed. Where some steps of a kind print nothing, the last ones do."""
        found = []
        for told, line in LINES:
            if verb in told.get("for", verb).split():
                those = list(line.finditer(self._text, self._read_to.get(told["line"], 0)))
                if told.get("once") and self._well and len(those) < left and verb == "commit":
                    those = []
                found += [(one.start(), told, one) for one in (those[:1] if told.get("once") else those)]
        for _, told, one in sorted(found, key=lambda match: match[0]):
            self._read_to[told["line"]] = one.end()
            self._means(told, one.groupdict())
        return any("for" in told and "path" not in one.groupdict() for _, told, one in found)

    def _means(self, told: dict[str, Any], got: dict[str, str]) -> None:
        """What a line says, or what a silent command did."""
        repo = self._repo
        if got.get("branch") or "detached" in got:
            repo.goes_to(got.get("branch"), new=told.get("new", False))
        if told.get("moves"):
            pushed = repo.pushed if told.get("pushed") == "stays" else told.get("pushed")
            subject = got.get("subject") or (repo.subject if told.get("stays") else "")
            repo.moves(got.get("head"), subject, self._turn, pushed)
        elif got.get("head"):
            repo.names(got["head"], got.get("subject") or "")
        if isinstance(told.get("pushed"), bool):
            repo.pushed = told["pushed"]
        if "keeps" in told:
            repo.keep(told["keeps"])
        if told.get("lists"):
            repo.changed, repo.whole = {}, True
        self._sign = told.get("sign", self._sign)
        if (sign := told.get("marks") or self._sign) and got.get("path"):
            repo.mark([got["path"]], sign)
        if got.get("remote"):
            repo.pushed = True
        if here := got.get("here"):
            self._sent(here, got.get("at"))
        repo.others.pop(got.get("gone") or "", None)
        if (cloned := got.get("cloned")) and (folder := placed(cloned, self._all.folder)):
            self._all.add(folder, self._turn)

    def _sent(self, branch: str, head: str | None) -> None:
        """The remote has a branch."""
        repo = self._repo
        if branch in ("HEAD", repo.branch) or repo.branch is None:
            repo.branch = repo.branch or branch
            repo.pushed = True
            if head:
                repo.head = repo.head if repo.head and repo.head.startswith(head) else head
        elif branch in repo.others:
            repo.others[branch][3] = True

    # -- steps -------------------------------------------------------------------------------------------------------

    def _begins(self, step: Step, given: list[str], own: Sequence[Step]) -> None:
        """What a step does before it prints anything."""
        repo = self._repo
        match step.verb:
            case "add" if self._well or "commit" in [one.verb for one in own]:
                everything = {"-A", "--all", "-u", "--update"} & {*given}
                repo.mark(repo.under(["."] if everything and len(given) == 1 else self._named(given)), "S")
                if self._well and given in (["-A"], ["--all"], ["."]):
                    repo.whole = True
            case "commit":
                repo.mark((path for path, sign in repo.changed.items() if sign == "M" and _all_tracked(given)), "S")
            case "status" if _short(given) and (self._well or any(self._lines)) and self._lines:
                repo.changed, repo.whole = {}, True

    def _did(self, step: Step, given: list[str], *, printed: bool) -> None:
        """What a step must have done that printed none of its lines; and what its words say beside them."""
        repo, named = self._repo, [word for word in given if word[:1] != "-"]
        match step.verb:
            case "checkout" | "switch":
                self._checkout(step, given, named, printed=printed)
            case "status":
                limit, shown = self._limit(step), sum(bool(line.strip()) for line in self._lines)
                of_some = bool(named) and named != ["."]
                again = _short(given) and sum(one.verb == "status" for one in self._those) > 1
                if (
                    again
                    or of_some
                    or limit == 0
                    or (limit and shown >= limit)
                    or not self._lines
                    or _CUT.search(self._text)
                ):
                    repo.loses()
            case "branch" | "rev-parse" | "symbolic-ref":
                self._asked(step, given, named)
            case "push" if self._well and not printed and not {"-d", "--delete", "--tags"} & {*given}:
                if not named[1:] or any(ref.lstrip("+").split(":")[0] in ("HEAD", repo.branch) for ref in named[1:]):
                    repo.pushed = True
            case "reset" if self._well and not printed:
                if named and _EARLIER.match(named[0]):
                    repo.moves()
                    repo.loses()
                else:
                    staged = repo.under(self._named(given) if named and named != ["HEAD"] else ["."])
                    repo.mark([path for path in staged if repo.changed[path] == "S"], "M")
            case "rm" | "mv" if self._well:
                named_paths = self._named(given)[-1 if step.verb == "mv" else 0 :]
                repo.mark(repo.under(named_paths) or named_paths, "S")
            case "restore" if self._well:
                self._put_back(step, given, staged="--staged" in given)
            case "stash" if {"pop", "apply", "list", "show", "drop"} & {*named}:
                if {"pop", "apply"} & {*named} and not printed:
                    repo.loses()
            case "worktree" if self._well:
                self._worktree(given, [word for word in named if word not in _after(given, ("-b", "-B"))])
            case "create" if self._well and not printed:
                repo.goes_to(None, new=True)
            case "commit" if not printed and self._lines and not (_is_quiet(step) or _COUNTED.search(self._text)):
                # A hook may have stopped it: nobody can tell.
                repo.moves() if self._well else None
            case verb if self._well and not printed and verb in _TOLD["quiet"]:
                self._means(_TOLD["quiet"]["modify" if "--amend" in given else verb], {"subject": step.subject})

    def _checkout(self, step: Step, given: list[str], named: list[str], *, printed: bool) -> None:
        repo = self._repo
        makes = {"-b", "-B", "-c", "-C", "--orphan"} & {*given}
        if "--" in given or "Updated " in self._text[:400]:
            staged = "--" in given and any(word[:1] != "-" for word in given[: given.index("--")])
            self._put_back(step, given, staged=staged)
        elif named and not printed and self._well:
            repo.goes_to(named[0], new=bool(makes))
        if makes and len(named) > 1 and named[1] not in ("HEAD", next(reversed(repo.others), None)):
            # It begins at another commit than the one at hand.
            repo.moves(*repo.others.get(named[1], ()))

    def _worktree(self, given: list[str], named: list[str]) -> None:
        """Another folder with the same repository, on a branch of its own."""
        here = posixpath.join(self._repo.folder, self._inside)
        for folder, head, branch in _WORKTREE.findall(self._text) if named[:1] == ["list"] else ():
            other = self._all.add(folder, self._turn)
            other.goes_to(branch)
            other.names(head)
        if named[:1] == ["add"] and named[1:] and (where := placed(named[1], here)):
            other, found = self._all.add(where, self._turn), _PREPARED.search(self._text)
            branch = next(iter(_after(given, ("-b", "-B"))), None) or (found[1] if found else None)
            other.branch, other.changed, other.whole = branch, {}, True
            if at := _HEAD_AT.search(self._text):
                other.names(at["head"], at["subject"])
        elif named[:1] == ["remove"] and named[1:]:
            self._all.forget(placed(named[1], here))

    def _asked(self, step: Step, given: list[str], named: list[str]) -> None:
        """A branch or a commit that stands on a line of its own."""
        if "--show-current" in given or step.verb == "symbolic-ref" or ("--abbrev-ref" in given and named == ["HEAD"]):
            if branch := self._lone(step, _BRANCH):
                self._repo.goes_to(branch.removeprefix("refs/heads/"))
                self._repo.seen = self._all.now
        elif named[:1] == ["HEAD"] and (head := self._lone(step, _HASH)):
            self._repo.names(head)
        elif {"-m", "-M"} & {*given} and self._well and (len(named) == 1 or named[:1] == [self._repo.branch]):
            self._repo.branch = named[-1]

    def _lone(self, step: Step, shape: re.Pattern[str]) -> str | None:
        """The line that the first step printed, or the only one of that shape; None where there are several."""
        first = next((line.strip() for line in self._lines if line.strip()), "")
        if step is self._those[0] and shape.fullmatch(first):
            return first
        fitting = {line.strip() for line in self._lines if shape.fullmatch(line.strip())}
        return fitting.pop() if len(fitting) == 1 else None

    def _put_back(self, step: Step, given: list[str], *, staged: bool) -> None:
        """Files are as they were, or (`staged`) as they are in another commit."""
        repo, paths = self._repo, self._named(given)
        if staged:
            repo.mark(paths, "M" if step.verb == "restore" else "S")
        else:
            gone = {path for path in repo.under(paths) if repo.changed[path] != "?"}
            repo.changed = {path: sign for path, sign in repo.changed.items() if path not in gone}

    def _named(self, given: list[str]) -> list[str]:
        """The paths on a command line, as seen from the repository."""
        behind = given[given.index("--") + 1 :] if "--" in given else given
        return [posixpath.normpath(posixpath.join(self._inside, word)) for word in behind if word[:1] != "-"]

    def _limit(self, step: Step) -> int | None:
        """How many lines of it the output may hold; 0: any of them may be missing. None: all are there."""
        if not step.sign.startswith("|") or step.sign == "||":
            return None
        behind = next(iter(self._those[self._those.index(step) + 1 :]), step)
        number = re.search(r"\d{1,6}", " ".join(behind.words[1:]))
        return {"head": int(number[0]) if number else 10, "cat": None, "sort": None}.get(behind.program, 0)

    def _names_head(self, step: Step, given: list[str]) -> bool:
        """Whether a log begins with the head."""
        named = [word for word in given if word[:1] != "-" and not word.isdigit()]
        own = ("HEAD", "@", self._repo.branch)
        foreign = any(word not in own and not word.endswith(("..HEAD", "..")) for word in named)
        shape = next((word for word in given if word.startswith(("--format", "--pretty"))), "oneline")
        limits = "--" in given or any(word.startswith(_OTHER_LOG) for word in given)
        return not (foreign or limits or self._limit(step) == 0) and bool(_SHAPE.search(shape))


def _short(given: list[str]) -> bool:
    return any(re.fullmatch(r"-[a-z]*s[a-z]*|--short|--porcelain\S*", word) for word in given)


def _after(given: list[str], options: tuple[str, ...]) -> list[str]:
    """What stands behind options."""
    return [new for old, new in pairwise(given) if old in options]


def _is_quiet(step: Step) -> bool:
    return step.sign.startswith(">") or any(re.fullmatch(r"-\w{0,5}q\w{0,5}|--quiet", word) for word in step.arguments)


def _all_tracked(given: list[str]) -> bool:
    return any(word == "--all" or re.fullmatch(r"-[a-z]{0,3}a[a-z]{0,3}", word) for word in given)
