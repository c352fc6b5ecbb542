"""How people put something off, or send it elsewhere: no to it here and now, a task for another day."""

import re

from steno.scribe.human_cues import factored

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PIECE = r"(?:pr|mr|branch|commit|ticket|issue|pull request|patch|task|story|session|change ?set)"
_SPAN = r"(?:sprint|week|month|quarter|year|release|iteration|time|version|milestone)"
LATER = re.compile(
    factored(
        rf"^(?:(?:maybe|perhaps|probably|possibly|but|yes|yeah|ok|sure|do (?:it|that)|let's do (?:it|that|this)) )*"
        rf"(?:(?:much |a bit )?later|eventually|some ?day|one day|another (?:day|time)|next {_SPAN}|down the (?:road"
        rf"|line)"
        rf"|in (?:v2|phase 2|an? (?:later|future)|a follow.?up|another {_PIECE}|the next {_SPAN}))\b(?! (?:i|we|you"
        rf"|they"
        rf"|it|is|are|was|the|there|our)\b)"
        rf"|\bnot (?:before|until|till|today|tonight|tomorrow|now\b|this {_SPAN}|(?:on )?(?:a )?{_DAY}s?\b|for v1|in"
        rf" v1)"
        rf"|^(?:(?:its|their|an?|in|yes|as|to) )*(?:own|separate|different|another|follow.?up|dedicated) {_PIECE}\b"
        r"|\b(?:leave|save|keep|do|tackle|look at|revisit) (?:\S+ ){1,5}(?:for (?:later|another day|next|after|v2)"
        r"|later)\b"
        r"|\b(?:park|shelve|postpone|defer|table|backlog|put off|deprioriti[sz]e) (?:it|that|this|those|them|the)\b"
        r"|\b(?:(?:to|in|on|for) the backlog|(?:just|only|a) nice.to.have|can wait|some other time|(?:low|lower|not a"
        r"|no)"
        r" priority"
        r"|another day|future work|rainy day|for (?:a )?later\b|revisit (?:it|that|this)?)"
        r"|\b(?:in|as|for) an? (?:follow.?up|later|future)\b|\b(?:i|we)(?:'ll| will| can) (?:do|look at|get to|come"
        r" back"
        r" to|deal with|revisit|handle) (?:it|that|this|those|them) "
        r"(?:later|tomorrow|next|after|another|some other|when|once)\b|\b(?:fix|do|finish|look at|sort|handle|deal with"
        r"|discuss) (?:it|that|this|them|the rest)(?: \w+)? (?:in the morning|tomorrow|on \w+day|next \w+)\b"
        r"|\bfor another (?:day|time|pr|ticket)\b"
        r"|\b(?:maybe|perhaps) (?:when|once|if|after|later|next|some ?day|one day)\b|^(?:only |maybe |do (?:it|that)"
        r" )*(?:after|once) (?:the |this |that )?(?:release|launch|demo|freeze|deadline|holidays?|{_SPAN}"
        r"|merge)(?=[\s.!]*$|[,;])"
        r"|\b(?:später|irgendwann|vorerst nicht|erst ?mal (?:nicht|so)|nächste[nrs]? (?:woche|sprint|monat|jahr|mal)"
        r"|ein ander(?:es|mal))\b|\blassen wir .{0,40}\b(?:so|weg|erstmal|vorerst|bleiben)\b"
        r"|以后再|下次|先不|暂时不|晚点|回头再"
    )
)
# Work that waits for something: "the domain once we have the certificate".
WAITS = re.compile(
    r"\b(?:once|as soon as|after|when) (?:we|it|that|this|they|the|ci|everything|i)\b(?:'s|'re)? ?\w+"
    r"|\bwhen (?:we|i|you|they|there) (?:have|get|has|is|are)\b|\bsobald\b"
)
