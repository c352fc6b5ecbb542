"""The words by which people forbid something, and the things they name: tables for `propose`."""

import re
from typing import Final

from steno.terms import STOPWORDS


def _verbs(*bases: str) -> str:
    """A pattern of verbs with their -ing forms."""
    forms = []
    for base in bases:
        word, _, rest = base.partition(" ")
        stem = word[:-1] if word.endswith("e") else word + word[-1] if word in ("run", "put") else word
        forms.append(f"(?:{word}|{stem}ing){' ' + rest if rest else ''}")
    return "|".join(forms)


RUN: Final = _verbs("use", "run", "call", "execute", "invoke", "start", "try", "type", "go with", "reach for")
TAKE: Final = _verbs(
    "add", "install", "import", "introduce", "require", "adopt", "include", "suggest", "propose", "pull in",
    "bring in", "bring back", "depend on", "rely on", "switch to", "go for", "fall back to",
)  # fmt: skip
TOUCH: Final = _verbs(
    "touch", "edit", "change", "modify", "write", "delete", "remove", "rename", "move", "overwrite", "commit",
    "format", "reformat", "refactor", "rewrite", "update", "regenerate", "alter", "create", "mess with", "check in",
)  # fmt: skip

# An order not to: what follows is a verb.
ORDER: Final = re.compile(
    r"\b(?:(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|may not|not (?:allowed|supposed|permitted)"
    r" to|stop|quit|avoid|refrain from|nie|niemals)"
    r"(?: (?:want|like) (?:you to|us to|to)\b)?)"
    r"(?: (?:ever|just|please|even|again|directly|simply|try to|go and|blindly|you|automatically))* ",
    re.IGNORECASE,
)
# Of one's own acts or somebody else's, and questions why: no orders.
NO_ORDER_AFTER: Final = frozenset("i they it he she who which that to".split())
NO_ORDER_IN: Final = frozenset("if when whenever unless why".split())
# What follows is the thing itself.
NOT_THIS: Final = re.compile(
    r"\b(?:no|not|instead of|rather than|(?:don't|do not|dont) (?:want|like|need)(?: any)?|kein\w{0,2}|nicht|avoid"
    r"|stop|hands off|(?:stay|keep)(?: your hands)? (?:off|out of|away from)) (?:the |our |my |any |more )*",
    re.IGNORECASE,
)
HANDS_OFF: Final = re.compile(r"hands off|off |out of|away from", re.IGNORECASE)
# What stands before it is closed.
CLOSED: Final = re.compile(
    r"(?<!\S)(\S{1,200}(?: folder| directory)?) (?:is|are) (?:strictly |absolutely |all )?(?:off.limits|forbidden"
    r"|not allowed|banned|taboo|untouchable|read.only|not to be (?:touched|edited|changed|used))\b",
    re.IGNORECASE,
)
# Here the forbidden ends: an exception, a condition, a reason, or what to do instead.
ENDS: Final = re.compile(
    r"[,;()]|: |\s[–—-]\s|\b(?:but|except|without|unless|until|because|since|instead|rather|so|use|before|after|if|when"
    r"|while|other than|outside|besides|it's|that's|we|i)\b",
    re.IGNORECASE,
)
# Holds for now or for this piece of work: no matter for a matcher.
PASSING: Final = re.compile(
    r"\b(?:yet|for now|right now|for the moment|at the moment|today|this time|just now|until|(?:in|for|as part of) this"
    r" \w+|erst)\b",
    re.IGNORECASE,
)
STANDING: Final = re.compile(r"\b(?:never|always|ever|any ?more|nie(?:mals)?)\b", re.IGNORECASE)

# Programs by names that mean nothing else in a sentence.
PROGRAMS: Final = frozenset(
    "npm npx pnpm yarn bunx pip pip3 pipx conda virtualenv docker docker-compose podman kubectl helm terraform ansible "
    "brew apt apt-get yum dnf curl wget ssh scp rsync sed awk grep egrep rg xargs jq git gh hg svn cargo rustup gradle "
    "mvn bazel psql mysql sqlite3 mongosh redis-cli systemctl crontab nohup tmux python python3 node perl ruby deno "
    "bun make cmake bash powershell chmod chown rm rmdir".split()
)
# Too much of all work is done with these: without a subcommand or a flag they tell nothing.
GENERAL: Final = frozenset("git gh python python3 node bash make cmake cargo ruby deno bun".split())
SUBCOMMANDS: Final = frozenset(
    "install add push pull commit rebase reset stash merge publish run build test up down compose exec checkout clean "
    "restore apply destroy delete deploy migrate audit fix update upgrade ci start init login prune rm tag cherry-pick "
    "revert filter-branch pr issue release create close".split()
)
# Programs that come as packages: found by their name wherever it stands.
PACKAGES: Final = frozenset(
    "webpack vite rollup esbuild jest mocha vitest pytest tox nox poetry eslint prettier lodash axios jquery moment "
    "mongodb redis sqlite postgres mysql firebase graphql".split()
)
SCRIPTS: Final = (".sh", ".bash", ".ps1")
FILE: Final = re.compile(
    r"\.(?:py|pyi|tsx?|jsx?|mjs|cjs|go|rs|java|kt|rb|php|c|h|cc|cpp|hpp|cs|swift|sql|sh|md|mdx|rst|txt|json|ya?ml|toml"
    r"|ini|cfg|conf|env|lock|css|scss|html|vue|svelte|proto|tf|ipynb|csv|xml|gradle)$|^\.\w[\w.-]+$",
    re.IGNORECASE,
)
TONGUES: Final = frozenset("english german french spanish chinese japanese italian portuguese russian".split())
NO_NAMES: Final = frozenset("anything everything something nothing packages package dependencies deps stuff".split())

# "The whole folder" names none.
ANY_PLACE: Final = STOPWORDS | frozenset("whole entire current root project parent home working old new".split())

_FORCE: Final = r"\s(?:--force\S*|-\w*f\w*|\+\S+)(?:\s|$)"
_DEPLOY: Final = (
    r"^(?:(?:(?:ba|z)?sh|npm|pnpm|yarn|bun|make|just|task|fly|flyctl|vercel|netlify|firebase|cdk|kamal|wrangler)\s"
    r"(?:run\s)?)?(?:\S*/)?deploy\S*(?:\s|$)"
)
# Acts by the phrases people have for them. These patterns are ours; nothing of the words goes into them.
ACTS: Final = tuple(
    (re.compile(phrase, re.IGNORECASE), field, pattern)
    for phrase, field, pattern in (
        (r".{0,30}\bforce.?push|push\w* .{0,20}\bforce\b", "command", rf"^git push\b.*{_FORCE}"),
        (r"push\w* .{0,20}\b(?:main|master)\b", "command", r"^git push\b.*\b(?:main|master)\b"),
        (r"push(?:es|ing)?(?! (?:back|it\b|me\b|too|the (?:limit|envelope)))\b", "command", r"^git push\b"),
        (r".{0,30}\bno.verify\b|(?:skip|bypass|disabl|circumvent)\w* .{0,30}\b(?:hooks?|pre-commit)\b",
         "command", r"\s--no-verify(?:\s|$)"),
        (r"amend", "command", r"^git commit\b.*\s--amend(?:\s|$)"),
        (r"rebas(?:e|ing)\b", "command", r"^git (?:rebase|pull\b.*\s--rebase)\b"),
        (r".{0,20}\b(?:hard.reset|reset --hard)", "command", r"^git reset\b.*\s--hard(?:\s|$)"),
        (r"stash", "command", r"^git stash\b"),
        (r"commit(?:ting)?(?: anything| yourself| for me| on your own)*\s*$", "command", r"^git commit\b"),
        (r"merg(?:e|ing) .{0,20}\b(?:prs?|pull requests?|branch(?:es)?|main|master)\b",
         "command", r"^(?:git merge|gh pr merge)\b"),
        (r"deploy", "command", _DEPLOY),
        (r"publish\w*(?: (?:to (?:npm|pypi|crates)|the (?:package|crate)|packages|releases|anything|it)\b|\s*$)",
         "command", r"^(?:npm|pnpm|yarn|cargo|poetry|uv|twine|gem)\b.*\s(?:publish|upload|push)\b"),
        (r".{0,12}\brm -\w*r", "command", r"^rm\s(?:.*\s)?-\w*r"),
        (r".{0,12}\bsudo\b", "text", r"\bsudo\s"),
        (r"(?:drop|delet)\w* .{0,12}\b(?:tables?|databases?|schemas?)\b",
         "text", r"\bdrop\s+(?:table|database|schema)\b"),
    )
)  # fmt: skip

# Commands a person may well mean when they refuse a call without naming it.
GRAVE: Final = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^git push\b.*{_FORCE}",
        r"^git push\b",
        r"^git reset\b.*\s--hard(?:\s|$)",
        r"^git (?:clean|stash|rebase|filter-branch)\b",
        r"^git (?:checkout|restore)\b.*\s(?:--|\.)(?:\s|$)",
        r"^git commit\b.*\s--(?:amend|no-verify)(?:\s|$)",
        r"^gh (?:pr|issue|release) (?:create|merge|close|comment|delete)\b",
        r"^rm\s(?:.*\s)?-\w*r",
        r"^(?:npm|pnpm|yarn|cargo|poetry|uv|twine|gem)\b.*\s(?:publish|upload)\b",
        r"^(?:terraform|kubectl|helm) (?:apply|destroy|delete|uninstall)\b",
        r"^docker\b.*\s(?:prune|down)\b",
        _DEPLOY,
    )
)
# Tools that change something or run something: looking for a name is not using it.
DOING: Final = r".*(?:edit|writ|patch|replace|insert|creat|delet|remov|renam|move|bash|shell|exec|command|terminal).*"
