"""Cues of progress in an assistant's sentence, in lower-case text: done, a milestone, left to do."""

import re

OPEN_LEAD = re.compile(
    r"\b(?:remaining|remains|left(?: to do)?|next(?: steps?| up)?|still (?:open|to do|pending|missing)|"
    r"to-?dos?|open (?:items|points|tasks|questions)|"
    r"pending|not (?:yet )?(?:done|started)|follow-?ups?|outstanding|i'd like to \w+|before (?:i|we) \w+|"
    r"clean-?up after|test plan|task list|here's the list|the list|left ?over|noch offen|offene? punkte|es fehlt)\b",
)
DONE_LEAD = re.compile(
    r"\b(?:completed?|done|finished|(?:already )?fixed|summary of (?:changes|progress)|changes made|"
    r"^\W*(?:\w+\. )?changes|what was (?:done|changed|fixed)|progress|"
    r"files (?:modified|changed)|implemented|we now have|current state|accomplished|is ready|"
    r"where we (?:are|stand)|status|erledigt|umgesetzt)\b",
)
DONE = (
    r"\b(?:issue|bug|problem|leak|crash|regression|test) (?:is|was) (?:now )?fixed\b|^(?:pushed|merged|"
    r"committed|fixed|deployed|released|implemented|completed)\b"
    r"|\b(?:is|are|'s|'ve|been|was|were|now|fully|all) (?:\w+ )?(?:complete[d]?|done|finished|implemented|"
    r"pushed|merged|committed|posted|resolved|"
    r"deployed|released|addressed|gone)\b|\d\W* (?:is )?(?:complete|done|finished)\b|\bcomplete via\b"
)
MILESTONE = (
    r"\b(?:all (?:changes|tasks|threads|tests|checks|\d+)|fully|plan|task|wp-?\d+|phase \d+|step \d+|"
    r"milestone|#\d+|suite|everything)\b|`[0-9a-f]{7,12}`"
)
ACTED = (
    r"^(?:added|updated|created|implemented|removed|moved|fixed|changed|wrote|replaced|renamed|refactored|"
    r"filled|switched|restructured|rewrote|increased|deployed|migrated|converted|split|extracted|documented|finished|"
    r"published|installed|configured|cleaned|archived|opened|filed|rebuilt)\b|"
    r"\bi(?:'ve| have) (?:also |now )?\w+ed\b|\bnow (?:works|passes|compiles|builds)\b|"
    r"\bworks (?:now|again)\b|^(?:done|finished|complete)[:,;—–-]+ ?\w"
)
# What stands now and was shown to hold: "the retry test is in `x`, all 9 pass".
PROVEN = (
    r"\b(?:\d+|all|both|everything|tests?|suite|ci|build|checks)\b[^.!?\n]{0,24}\b(?:pass(?:es|ed)?|green)\b"
    r"|\bist (?:fertig|umgesetzt|erledigt|wieder raus)\b|^(?:fertig|umgesetzt|erledigt)\b"
    r"|\b(?:pr|pull request|mr|release|ticket|issue) #?\d+ (?:is )?(?:open|up|merged|ready|filed|created)\b"
    r"|\b(?:is|are|has been|have been) (?:now |all )?(?:merged|deployed|rotated|revoked|migrated|converted|deleted|"
    r"removed|renamed|written|updated|installed|published|tagged|released|closed|cleaned|archived|restored|added|"
    r"fixed|moved|filed|sent|posted|opened|created|booked|scheduled|signed|replaced)\b"
    r"|^\d+ \w+ (?:converted|migrated|moved|updated|fixed|renamed|removed|added|deleted|rewritten)\b"
    r"|\b(?:is|are) (?:now )?(?:in place|ready|live|up|set up|wired up|in|online|deployed|running)\b"
)
OPEN = (
    r"\b(?:remains? (?:pending|open|to)|(?:still|only) (?:remaining|open|pending|to do|need(?:s|ed)? to)|"
    r"remaining (?:tasks?|work|changes?|items?|thread)|"
    r"left to do|next is|next up|we then|holding (?:on|off)|on hold|until you|waiting (?:for|on)|"
    r"worth (?:validating|checking|verifying))\b"
    r"|\b(?:changes?|fix(?:es)?|tests?|this|it|that|work|nothing|pr)\b[^.(]{0,30}(?:not (?:yet )?(?:started|"
    r"committed|done|tested|verified|pushed)|uncommitted)\b"
    r"|\bto-?do: |\b(?:haven't|have not|hasn't|has not) \w+ed\b[^!?\n]{0,60}\byet\b"
    r"|^\W*(?:left ?over|(?:still )?(?:open|missing|pending|to do)|remaining|what's left|outstanding|noch offen|"
    r"offen|es fehlt)\b[^:.!?]{0,30}:"
    r"|\b(?:waits?|awaits?|is blocked|are blocked|blocked) (?:for|on|by|your|the|a)\b"
    r"|\b(?:still|yet) (?:(?:has|have|must|need|needs) to|to be|needs? (?:a|an|the|your)|must|lacks?|missing)\b"
    r"|\bnot \w+ yet\b|\bthat (?:only )?leaves\b|\bwhat(?:'s| is) (?:left|missing|open)\b"
    r"|\b(?:is|are) (?:still )?pending\b"
    r"|\ba todo\b|\b(?:comes?|is|are|'s) next\b|\bnext step\b|: (?:still )?(?:open|pending|to-?do|missing|not done)\W*$"
    r"|\b(?:needs? to|has to|have to|must) be \w+ed\b[^.!?\n]{0,30}\b(?:before|by|until|after|once|on)\b"
    r"|^\W*next,? i'd\b|\bhas to be \w+ed (?:after|before|once|by)\b"
    r"|\bnot yet (?:been )?\w+ed\b|\b(?:is|are|stays?) (?:still )?(?:open|unresolved|parked|deferred|postponed)\b"
    r"|\b(?:needs?|must|has to|have to) (?:still )?(?:be )?(?:done|finished|reviewed|migrated|rotated|cleaned|"
    r"backfilled|updated|corrected|moved|re-?run) (?:\w+ )?(?:later|afterwards|before|once|after|by hand|manually)\b"
    r"|\b(?:steht|stehen|fehlt|fehlen|bleibt|bleiben)\b[^.!?\n]{0,50}\b(?:noch aus|noch offen|offen|noch)\b"
    r"|\bnoch (?:nicht|zu|offen)\b"
)
