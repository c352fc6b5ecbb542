"""Cues of what went wrong and what follows: failed approaches, lessons, promises, surroundings. In lower case, too."""

import re

from steno.scribe.agent_cues import REASON, cue

EXCLUSION = (
    cue(
        "says it failed",
        3.0,
        r"\b(?:didn't|doesn't|does not|did not|don't|won't|wouldn't|can't) (?:work|help|fix|solve|cure|"
        r"suffice|apply|hold|do it)\b",
        r"\b(?:not (?:sufficient|enough|viable|feasible|going to work|the right (?:fix|approach|way))|"
        r"insufficient|dead end|backfired)\b",
        r"\b(?:approach|attempt|idea|try|fix|workaround|way|instructions?|change|assumption|"
        r"plan)\b[^?!\n]{0,80}\b(?:is|was|are|were) (?:a |just |too )?"
        r"(?:mess|wrong|broken|mistake|wasteful|fragile|dead|bogus|outdated|not)\b",
        r"\b(?:i|we) (?:just |had )?(?:wrote|used|tried|added|assumed|said|suggested|put|gave)\b[^!?\n]{0,80}"
        r"\b(?:is|are|was|were) (?:all )?(?:wrong|broken|bogus|outdated|incorrect|useless)\b",
        r"\b(?:attempt|approach|fix|try|patch|workaround|rebase|upgrade|change)\b[^!?\n]{0,30}\b(?:fail(?:s|"
        r"ed)|breaks|broke|(?:falls?|fell) (?:over|apart|short)|chokes?d?|blew up|timed out|crashe[sd]|hangs|hung|"
        r"deadlock(?:s|ed))\b",
        r"\b(?:saved?|gained?|gains|bought us|brought|changed|changes|fixed) nothing\b|\bno (?:gain|luck|use)\b",
        r"(?:^\W*|\b(?:i|we)(?:'ve| have)? (?:also |first )?)tried\b[^!?\n]{0,160}(?:\b(?:but|no effect|without|still|"
        r"so|instead)\b|[;:])",
        r"\b(?:didn't|did not|doesn't) (?:change|make|do|bring) (?:a thing|any|a difference|anything)|\bdid nothing\b",
        r"\b(?:proved|proves|turned out|turns out) (?:to be )?(?:too |very )?(?:brittle|fragile|slow|unreliable|"
        r"complicated|expensive|flaky|useless|impractical|wrong|worse)\b",
        r"\b(?:can't|cannot|couldn't) (?:use|rely on|do (?:that|this))\b",
        r"\bmade (?:it|things|that|this) (?:\w+ )?(?:worse|slower)\b|\bno (?:effect|difference|improvement)\b",
        r"\b(?:is|was) a (?:mess|dead end|mistake|red herring)\b",
        r"\b(?:unstaged the|wiped|clobbered|overwr(?:ote|itten)|reverted|lost|broke|undid|corrupted|destroyed)\b",
        r"\bfailed (?:because|with|due|since|again)\b|\b(?:still|again) fail(?:s|ed|ing)\b",
        r"\b(?:i|we) (?:accidentally|mistakenly|wrongly|incorrectly)\b",
        r"\bi (?:had it|got it|misread|misunderstood|mixed up|was wrong|wrongly)\b|\bthat's a bug in my\b|"
        r"\bmy (?:mistake|bad|error)\b",
        r"\b(?:gets?|got|becomes?|became|is|are|was|were|made|makes|ran|runs|performs?) (?:\w+ ){0,3}(?:worse|slower|"
        r"flakier|less (?:accurate|stable|reliable))\b",
        r"\b(?:stays?|stayed|still|remains?|remained) (?:at |just as )(?:\w+ ){0,2}(?:slow|high|broken|red|bad)",
        r"\b(?:is|was|are|were) out(?:\W*$|[,;:—–])|\bruled? out\b|\bhad to (?:abandon|give up|undo|back out)\b",
        r"\b(?:funktioniert|hilft|reicht|geht|klappt)\b[^.!?\n]{0,30}\bnicht\b|\bbringt nichts\b|\bsackgasse\b",
        key=True,
    ),
    cue(
        "says it cannot be",
        2.5,
        r"\b(?:can't|cannot|can not|couldn't|impossible|not possible|not supported|unsupported|isn't supported|"
        r"(?:doesn't|does not|don't) (?:support|allow|accept|handle|exist)|not allowed|refuses?|rejects?|rejected|"
        r"too (?:slow|big|large|old|expensive|many|long|small))\b",
        key=True,
    ),
    cue(
        "faults own work",
        2.5,
        r"\bmy (?:\w+ ){0,2}\w+ (?:broke|dropped|overwrote|deleted|removed|missed|ignored|swallowed|lost|hid|only)\b",
        r"\b(?:i|we) (?:just |had )?(?:introduced|added|wrote|changed|made|put|picked|chose|set|used|built|proposed)\b"
        r"[^.!?\n]{0,60}\b(?:(?:is|was|are|were|has|had|does|did|only) (?:only|wrong|not|too|missing|never|still|no|"
        r"just|broken)|isn't|wasn't|doesn't|didn't|only (?:covers?|checks?|works?|handles?)|ignores?d?|misse[sd]|"
        r"lacks?|overwrites?|breaks|broke|drops|dropped|forgets?)\b",
        key=True,
    ),
    cue(
        "takes it back",
        2.0,
        r"\brevert(?:ing|ed)\b|\broll(?:ed|ing) (?:\w+ )?back\b|\bback(?:ed|ing) (?:\w+ )?out\b|\bundid\b|"
        r"\btook (?:\w+ ){1,3}(?:back )?out\b|\bwieder raus\b",
        key=True,
    ),
    cue("tells what was tried", 1.0, r"^\W*(?:with|using|without|after|mit|ohne) [^,]{2,60}"),
    cue("gives figures", 1.0, r"\d ?(?:%|ms|kb|mb|gb|s|x)(?:\W|$)|\b(?:instead of|vs\.?|versus|than|from) ~?\d"),
    cue(
        "means own work",
        1.5,
        r"^\W*(?:hmm|ok|okay|so|unfortunately|also)?\W*\w+ing (?:the|that|this|it|to|from|with|a|`)",
        r"\b(?:my|our|i|this|that|the) (?:\w+ ){0,3}(?:approach|fix|attempt|filter\w*|"
        r"change|instructions|design|symlink|workaround|stash|script|merge|edit|patch|version|way|test)\b",
        r"^\W*(?:and |but |so )?(?:that|this|it|which) (?:also )?(?:didn't|did not|doesn't|won't|made|broke|failed)\b",
        r"\b(?:i|we) had to\b|\bi(?:'ve| have)? (?:reverted|rolled|backed|put it back|took)\b",
        r"\bi (?:just )?(?:wrote|tried|used|put|made|assumed|gave|said|suggested|added)\b",
    ),
    cue(
        "gives a reason",
        1.0,
        REASON.pattern,
        r" — ",
        r"\b(?:work|help|fit|hold|fly)(?:ed|s)?(?: here| either)?[:;,] \w",
    ),
    cue("asks", -6.0, r"\?\W*$"),
    cue("leaves it open", -2.0, r"\b(?:if|would|could|might|may|in case|should)\b"),
)
# Words after a failure that start another way: they make the failure one of an approach.
TURNS_AWAY = re.compile(
    r"\b(?:redo|start (?:fresh|over|again)|from scratch|(?:different|another|other|more \w+|"
    r"better) (?:approach|way)|instead|revert|undo|"
    r"(?:let me|i'll|i will|so i) (?:fix|narrow|simplify|handle|switch|try|use|move|add|drop|go)|"
    r"i'm (?:switching|using|moving|going)|switch(?:ing|ed) to|back to|went with|stattdessen|"
    r"rolled (?:\w+ )?back|put (?:it|that|them) back|reverted|backed (?:\w+ )?out)\b",
)
LEARNING = re.compile(
    r"\bi should(?:'ve| have)\b|\bnext time\b|\blessons?(?: learn\w*)?:?\b|\bso (?:that )?i don't (?:repeat|"
    r"make)\b|\b(?:from now on|going forward),? i\b"
    r"|(?:^|[:;] |\b(?:to|i|i'll|should|must|lesson) )(?:always|never) \w+[^!?\n]{0,60}\b(?:before|without|first)\b"
    r"|\bi (?:didn't|failed to|"
    r"forgot to) (?:check|verify|read|run|test|ask|look|notice|consider|compare|think|realise|realize|"
    r"see|know)\b|\bwon't happen again\b"
    r"|\b(?:misled|confused|fooled|tripped|threw|caught) (?:me|us)\b|\bmy mistake was\b|\bwhere i went wrong\b"
    r"|\bi (?:overlooked|wrongly assumed|assumed (?:the|that|it|this)|trusted|relied on|"
    r"took (?:it )?for granted|jumped to)\b"
    r"|\b(?:taught|teaches|shows|showed|reminds?) (?:me|us) (?:to|that|not)\b|\bhätte ich\b|\bich hätte\b|\bkünftig\b",
)
ENVIRONMENT = re.compile(
    r"\b(?:on|the) branch `[^`]+`|\b(?:pre-commit|pre-push|commit-msg) hooks? (?:runs?|checks?|requires?|"
    r"reformats?|rejects?|fails?)\b|\b(?:ci|the hook|husky) (?:runs?|requires?|checks?)\b|\bnode(?:\.js)? v?\d+\b"
    r"|\b(?:runs?|running|listens?) on port \d+",
)
PROMISES = re.compile(
    r"\bi(?:'ll| will) (?:also )?(?:come back|keep|pause|save|hold|remember|not touch|leave|"
    r"wait|report|watch|avoid|make sure|bring it up|remind|always|never|ask (?:you )?(?:first|before))\b|^holding\b"
    r"|\bi(?:'ll| will)\b[^.!?\n]{3,60}\b(?:before|after|on|for|with) (?:each|every|any)\b"
    r"|\bi (?:won't|will not) \w+"
)
# A guess made before that is taken back: what it says no longer holds.
REFUTES = re.compile(
    r"\bi was (?:wrong|mistaken)\b|\b(?:my|that|the|first|earlier) (?:\w+ )?(?:theory|guess|assumption|hypothesis|"
    r"suspicion|diagnosis) (?:was|is|turned out|doesn't|didn't)\b|\b(?:it's|it is|it was|that's|that was) not "
    r"|\b(?:isn't|wasn't|is not|was not|not) (?:the (?:\w+ )?(?:cause|culprit|reason|problem|issue)|to blame)\b"
    r"|\brule[sd]? (?:\w+ )?out\b|\bred herring\b"
)
