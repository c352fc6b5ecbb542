"""What waits for a person's word, and their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from steno.choices import Answer
from steno.verbs.table import Arg, verb

if TYPE_CHECKING:
    from steno.memory import Memory
    from steno.verbs import answers
    from steno.verbs.asking import Asker, Where
    from steno.vocabulary.acts import Act

Id = Annotated[str, Arg("Its id, or the beginning of it.", "ID")]


@verb("review list", fresh=True)
def reviews(memory: Memory, where: Where) -> list[answers.Review]:
    """Answer what waits for your word, one key each.

    What agents asked for and only you may do; pages of the notebook that an agent changed, or that lost a critical rule
    or a refusal; entries that contradict each other: these wait until you answer. Then rules that may end, because you
    allowed what they stop three times, or took them back in your own words. Last, at most five instructions that hold
    for a piece of work and that you may make last: those end with it if you say nothing. Without a terminal they are
    listed.

    $ steno review
    """
    return memory.reviews(project=where.project)


@verb("review show", fresh=True)
def review(memory: Memory, id: Id) -> answers.Review:
    """Show one review.

    $ steno review show 6dfdfaf9
    """
    [found] = memory.reviews(id)
    return found


@verb("review answer", "rules")
def answer(
    memory: Memory, asker: Asker, id: Id, answer: Annotated[Answer, Arg(metavar="ANSWER")],
    text: Annotated[str | None, Arg("Your words, to `reword`.", kind="words")] = None,
) -> answers.Review:  # fmt: skip
    """Answer a review.

    What an agent asked for: `yes` (it is done, or may be done once within a day) or `no`. An instruction: `keep` (it
    lasts from now on), `drop` (it holds no more: it is archived), `reword` (it lasts, in the words of TEXT) or `work`
    (it ends with its piece of work, as it would without an answer). A rule that may end: `end` (it holds no more: it is
    archived) or `keep`. Two entries that contradict each other: the `one`, the `other` or `both` hold; what does not
    hold counts as superseded. A page: `take` it as it is, or put `back` what stood there; what you put away lies beside
    it.

    $ steno review answer 6dfdfaf9 reword "never force-push"
    """
    from steno.vocabulary.acts import Act
    from steno.vocabulary.errors import WrongUse
    from steno.vocabulary.reviews import OF_REQUEST

    [found] = memory.reviews(id)
    if not isinstance(found, Act):
        return memory.resolve(id, answer, text)
    if answer not in OF_REQUEST or text is not None:
        raise WrongUse(f"{answer!r} does not settle this", hint=f"the answers are {', '.join(OF_REQUEST)}")
    return _answered(memory, asker, found, answer)


def _answered(memory: Memory, asker: Asker, act: Act, answer: str) -> answers.Review:
    """A person's word on what an agent asked for. What can be done at once is done, as theirs."""
    from msgspec.structs import replace

    from steno.verbs.call import call
    from steno.verbs.table import VERBS

    verb = VERBS.get(act.verb)
    state = "refused" if answer == "no" else "allowed"
    if state == "allowed" and verb is not None and act.given is not None and not verb.slow:
        # Whatever call of the agent is still under way: it is the person's act.
        call(verb, act.given, memory, replace(asker, who=asker.who and replace(asker.who, evidence="a review")))
        state = "carried out"
    memory.authority.settle(act, state)
    return replace(act, state=state)


@verb("review undo", "rules")
def undo(memory: Memory) -> answers.Review:
    """Take back the last answer; what it was about is as it was, and waits again.

    $ steno review undo
    """
    return memory.unresolve()
