"""How people agree, pick and choose, in cue tables."""

import re

from steno.scribe.human_asks import LOOKING
from steno.scribe.human_cues import table

_GOOD = (
    r"good|great|right|fine|amazing|perfect|awesome|reasonable|nice|solid|excellent|correct|ok(?:ay)?|better|lovely"
    r"|clean|gut|acceptable|plenty|fair(?: enough)?|good enough|tolerable"
)
_STRONG = (
    r"yes+|yep+|yeah+|yup+|ya+|yea+|aye|y|sure(?: thing)?|of course|absolutely|definitely|exactly|correct|agreed?"
    r"|approved?"
    r"|confirmed?|do (?:it|that|this|so|both|all(?: of (?:it|them))?)|go(?: for it| ahead| on)?|proceed|continue"
    r"|carry on|keep going"
    r"|please do|(?:ship|merge|send|push|deploy|release|land) it|lgtm|acceptable|fair enough|good enough|deal|sgtm"
    r"|make it so|as you (?:suggest|propose|say)\w*|(?:the )?same"
    rf"|(?:sounds?|looks?|seems?|all|very|pretty|really|works|it's|its|that's|thats|this is|that is|i'm"
    rf"|im) ?(?:{_GOOD})(?: (?:to me|with (?:it|that|this)|plan))?"
    rf"|(?:this|that|it|plan|all|everything|the plan|the change\w*) (?:looks?|sounds?|is|works|seems?)(?: (?:really"
    rf"|pretty|very|all))? (?:{_GOOD}|for me)(?: to me)?"
    r"|sounds? like a plan|works for me|fine (?:by|with) me|makes (?:sense|total sense)|(?:good|great|nice) (?:idea"
    r"|call|plan|point|catch|one)"
    r"|i (?:agree|like (?:it|that|this|the (?:idea|plan|approach))|love (?:it|that|this|the (?:idea|plan)))"
    r"|happy with (?:it|that|this)"
    r"|(?:let's|lets) (?:do|go|try|start|roll|proceed|continue|ship)(?: (?:it|that|this|with (?:it|that|this)"
    r"|for it|ahead|both|all))?"
    r"|go with (?:it|that|this|your \w+)|why (?:the (?:heck|hell|fuck) )?not|can leave it|leave it(?: as is)?|both"
    r"|all(?: of (?:them|it|the above))?"
    r"|either(?: is fine| works)?|(?:the )?(?:former|latter|last|first|second|third)(?: one| option)?|whatever"
    r"|yes to [^,;]{2,40}|whatever(?:'s| is| you| works)? ?\w*|up to you|your call|you (?:decide|choose|pick)|your"
    r" choice"
    r"|start(?: implementing)?"
    r"|ja|jo|jep|genau|passt|mach(?: das| weiter| es| mal)?|gerne?|einverstanden|klar|stimmt|richtig|weiter"
    r"|好的?|可以|行|同意|是的?|对|继续|没问题|就这样|[👍✅🚀👌💯🆗🙌🎉]+|\+1|:\+1:|:shipit:"
)
_WEAK = (
    r"ok(?:ay|ey)?|k|kk|alright|right|fine|cool|great|nice|perfect|awesome|amazing|good|excellent|brilliant|thanks"
    r"|thank you|thx|ty"
    r"|please|pls|then|now|super|gut|danke|bitte|wonderful|lovely|sweet|neat|wow|haha|lol|man|mate|bro|claude|again"
    r"|so|well|and"
)
_CLOSING = (
    r"as (?:is|planned|proposed|discussed|suggested)|first|for now|too|anyway|i guess|i think|mal|doch|actually"
    r"|obviously|definitely|though|honestly|please"
)
_END = r"[\s!.…)🙏👍🙂😊😀😄🎉🚀💯❤️]*$"
APPROVES = re.compile(rf"^(?:(?:{_WEAK})[\s,!.]+)*(?:{_STRONG})(?:[\s,!.]+(?:{_WEAK}|{_STRONG}|{_CLOSING}))*{_END}")
MILD = re.compile(rf"^(?:{_WEAK})(?:[\s,]+(?:{_WEAK}))*{_END}")
# A yes in front of more words, or behind them: "ya one", "yes but group them", "full jitter, yes".
YES_FIRST = re.compile(
    r"^(?:(?:ok(?:ay)?|oh|well|cool|hm+|great|nice)[\s,!.]+)*(?:yes+|yep+|yeah+|ya+|yup+|yea+|sure(?: thing)?|aye"
    r"|absolutely"
    r"|definitely|of course|please do|ja|jo|jep|klar|gerne?|👍+|✅|💯|好的?|可以|是的?|对)"
    r"(?=$|[\s,.!:;–—-])(?![\s,]+(?:i (?:see|know|understand"
    r"|get|saw)|that's (?:what|why)|well|no|but (?:no|not|why|isn't|how)|it (?:is|was|does|did)|there)\b)"
)
YES_LAST = re.compile(r"[,;–—] ?(?:yes|yep|yeah|yup|sure|please|please do|ja|gerne)[\s.!]*$")
_NOISE = (
    rf"{_WEAK}|lgtm|sgtm|passt|👍+|👌+|✅|💯|🙌|🎉|(?:looks?|sounds?|all|that's|it's) (?:{_GOOD})"
    r"|(?:good|great|nice) (?:catch|point|job|one|work|find)|stimmt|makes sense|exactly|correct|right|y|yep|yes|yeah"
)
# Only a pleasant noise: it settles something only where something was open.
ONLY_ACK = re.compile(rf"^(?:{_NOISE})(?:[\s,!.]+(?:{_NOISE}))*[\s,!.]*$")
AGREES_AT_END = re.compile(
    r"\bso why (?:the \w+ )?not[\s.!]*$|\b(?:so|then) (?:yes|go ahead|do it|go for it|let's do it)[\s.!]*$"
)
CLAUSE = re.compile(
    r"[,;.!–—:。，！]+\s*|\s+-\s+|\s+(?:and|then|but|und|aber|except|minus|without|ohne|apart from|other than)\s+"
)
LEADS = re.compile(
    r"^(?:ok(?:ay)?|yes|yep|yeah|yup|sure|alright|right|great|good|perfect|fine|cool|nice|ja|gut|好)\b[\s,.!:;–—-]*"
)

ORDINALS = {
    "first": "1",
    "second": "2",
    "third": "3",
    "fourth": "4",
    "1st": "1",
    "2nd": "2",
    "3rd": "3",
    "erste": "1",
    "zweite": "2",
    "dritte": "3",
}
# One label of a list, alone or after "option", "number", "#".
PICK = re.compile(
    r"(?<![\w#.'])(?:(?:option|number|no\.?|plan|approach|variant|#)\s?)?#?(\d{1,2}|[a-h])(?=$|[\s,.!)&+:])"
)
_PICK_WORDS = (
    "let's lets i'd i we you can go going take pick choose chose prefer want do did use tackle start try with for"
    " the option"
    " options number plan approach variant only just and or then first both yes yeah yep ok okay please say vote"
    " fix me my"
    " nehme nehmen wir ich und task tasks item items step steps point points fine good is sounds looks like best"
    " great sure"
    " definitely think would be i'll we'll one bitte das die den maybe idk said 选 选择 用 方案"
)
PICK_WORDS = frozenset(_PICK_WORDS.split())
# "this, that -> there"
MAPPING = re.compile(r"^\s*(?:[-*•] )?[^\n=<>]{1,200}?\s(?:->|→|=>|-->)\s\S")

CHOICES = table(
    (
        "an explicit choice",
        0.7,
        (
            r"\b(?:go|going|stick|stay|start|keep going|proceed) with\b|\b(?:i|we)(?:'ve| have)? (?:decided|chose"
            r"|settled|agreed)\b|\bi(?:'d| would) go (?!back|and\b|there|home|ahead|to\b|on\b|so far|as far)\w+",
            r"\bswitch (?:to|over|back)\b|\bcall (?:it|them|this)\b|\bname (?:it|them|this)\b|\brename \S+ to\b"
            r"|\bi can live with\b",
            r"(?:^|\b(?:to|and|let's|lets|please|you|should|could|we|just|then|i'd) |[,;:] )(?:put|move|copy"
            r"|extract|split|merge|turn|convert|inline"
            r"|migrate|store|save|place) .{2,80}\b(?:in|into|to|onto|under|from|out of|at|as)\b",
            r"\b(?:i|we) (?:actually |really |basically |also |just |do )?want (?!to (?:know|see|hear|understand|ask"
            r"|check)\b|you\b)\w+|\bi(?:'d| would) like (?!you|to (?:know|see))\w+",
            r"\b(?:use|using|uses) \S+(?: \S+){0,3} (?:for|instead|as|here|everywhere)\b|^(?:just )?use \S+"
            r"|\binstead\b(?! of)|\bchanged my mind\b|\b(?:it|they) (?:is|are)[.!]*$|^back to (?:the|where|our|what"
            r"|plan)\b|\b(?:bump|raise|lower|set|increase|decrease|reduce|limit|cap|change|cut) (?:it|that|them|this"
            r"|the \w+(?: \w+)?) (?:to|at) \S+|\bi(?:'d| would) (?:just |simply |also )?(?:use|take|do|accept|pick"
            r"|make|call|put|split|start|merge|keep|leave)\b|^make (?:it|that|them|this) (?!work|pass|happen|so|stop"
            r"|compile|fail)\w+|(?:^|, )(?:max|min|at most|at least|up to|no more than)\.? \d|^(?:the |that"
            r" )?(?:[\w./-]+ ){1,3}(?:yes|yep|ja)(?:[,.!]| but|$)|^(?:use|keep|go|let's|do|take|leave"
            r"|back)\b.*\bafter all\b|\b(?:are|is) (?:enough|plenty"
            r"|sufficient)\b|\bnothing (?:fancy|more|else)\b|\bthe other (?:approach|way|option|one)\b",
            r"\bjust (?:do|use|call|make|keep|add|put|take|go|leave|fix|remove|inline|start|stick|have|return"
            r"|show)\b|\b(?:keep|leave) (?:the|it|that|this|using|them|both)\b|(?:^|[,;] )keep \w+|\bwould (?:do"
            r"|suffice|be enough)\b",
            r"\b(?:create|make|use|open) a (?:new |separate )?(?:branch|worktree|pr)\b|\b(?:in|as|on) (?:this"
            r"|a separate|another|the same|its own|a new|one) (?:pr|branch|commit)\b",
            r"(?<!it's )(?<!is )(?<!are )\b(?:only|first) (?:do|fix|change|the)\b|\bdo the (?!same)\w+"
            r"|\blooks? like a good idea\b"
            r"|\bis a good idea\b|\bi like (?:the|your|option)\b|\bfocus(?:ed)? on\b",
            r"^(?:[\w/.&+-]+ ){1,4}(?:first|later|only)[\s.!]*$",
            r"\b(?:nehmen|nutzen|machen|verwenden) wir\b|\bwir (?:nehmen|nutzen|machen|verwenden|bleiben)\b"
            r"|\bich will (?!nicht|kein)|我们用|改用|决定|用.{1,12}吧|就用",
        ),
    ),
    (
        "what something is to be",
        0.6,
        (
            r"\bshould (?:only |also |not |always |never |still |just |probably |really )?(?!i\b|we\b|you\b"
            r"|have been|work (?:now|fine|again)"
            r"|do (?:it|the)|fix|help|suffice|take|know|be (?:fine|ok|good|possible|done|enough|there|able)\b)[a-z]+",
            r"\bneeds? to (?:be|have|go|live|support|return|show|work|cover|use|handle|stay|contain)\b|\b(?:soll"
            r"|sollte|sollten)\b|应该",
        ),
    ),
)
# Decisions stated as facts: only as an answer.
STATED = table(
    (
        "a choice stated as a fact",
        0.6,
        (
            r"^(?:[\w./@+-]+ ){1,6}(?:goes|go|belongs?|lives?|moves?) (?:in|into|under|onto|next to)\b"
            r"|\b(?:stays?|is staying"
            r"|are staying|can stay|bleibt|bleiben|kommt in|gehört in)\b(?! (?:the same|empty|at|red|stuck|pending"
            r"|open|null|blank|manche|leer))",
            r"^(?!please)(?:[\w./+-]+ ){1,4}(?:please|pls|bitte)[.!]*$|^(?:[\w./@+-]+ ){1,5}then[.!,]|^(?!it |i |you "
            r"|they |that |this |what|and |so |see |until |bye|\w+ \w+ed )(?:[\w./@+-]+ ){1,5}then$|^(?:[\w./@+-]+"
            r" ){1,5}(?:it is|for the win|wins)\b"
            r"|^(?:we|i) (?:\w+ )?(?:deploy|ship|release|use|run|keep|take|go|call|name|start|store|put|target"
            r"|support|drop)\b.*\bthen\b"
            r"|\bi'll (?:take|have|go with)\b|\bmy (?:pick|vote|choice) (?:is|goes)\b|\b(?:works|good) enough\b"
            r"|\bgood enough\b",
            r"^you (?:can|may) (?:do|go|use|add|make|take|start|merge|remove|keep|drop) (?:it|that|the|with|ahead)\b"
            r"|^(?:on|for|as for|regarding|re) (?!context|reference|info|example|now"
            r"|the record)(?:the )?(?:[\w-]+ )?[\w-]+: (?!where|what|how|why|who|when)\S+"
            r"|\bi(?:'m| am) (?:ok(?:ay)?|fine|happy|cool) with (?!it not)\w+|\b(?:is|are) (?:ok(?:ay)?|fine"
            r"|acceptable) for \w+|\bis all (?:it takes|(?:we|i|you|they|he|she) needs?|that's needed)\b|就行|就好"
            r"|就可以"
            r"|^(?:(?:then|so|ok) )*(?:i'm|we're|i am|we are) (?:dropping|keeping|using|switching"
            r"|staying"
            r"|sticking|going) (?!to (?:bed|sleep|lunch)|home|crazy|mad|nuts|on\b)\w+",
        ),
    ),
)
TOGETHER = table(
    (
        "a suggestion of the person",
        0.5,
        (
            rf"\b(?:how about|what if) (?:we|you|i)?\b|\b(?:can|could|should|shall) we (?:not )?(?:also |just "
            rf"|maybe |please |rather )?(?!{LOOKING}|get you|do that)\w+",
            r"\bif we (?:could|can|just|used?|made|had)\b.*\b(?:then|could|would)\b"
            r"|\bwonder(?:ing)?(?: now)? if (?:we|you|it|this|that)\b|\b(?:maybe|perhaps) (?:we|you|it|just|use|add"
            r"|a)\b|^(?:maybe|perhaps) the (?:\w+ ){1,3}(?:should|could|deserves?|needs?)\b"
            r"|\b(?:might|may|would|could) be (?:worth|good|better|nice|best|wise|safer) (?:to |\w+ing)",
            r"\b(?:i think|perhaps|probably) (?:we|it|you|that|this) (?:should|could|can|would|might)\b"
            r"|\bwould (?:it )?(?:be|make|not) (?:a )?(?:\w+ )?(?:better|nicer|cleaner|simpler|easier|sense|best)\b"
            r"|\bwhat about (?:using|making|having|adding|a|the)\b",
        ),
    ),
    (
        "a choice put to the agent",
        0.65,
        (
            rf"\b(?:let's|lets|let us|lass uns) (?!not\b|skip\b|drop\b|(?:\w+ )?(?:{LOOKING})\b)\w+",
            r"\bwe(?:'ll| will| should| can) (?:just |also |rather |then )?(?!see|talk|discuss|have to)\w+",
        ),
    ),
)
# A judgement in favour of something: where a choice is open, it closes it.
FAVOURS = re.compile(
    r"\b(?:is|are|would be|sounds?|seems?|looks?|feels?) (?:much |way |a bit |probably |just |the )?(?:better|best"
    r"|fine|ok(?:ay)?|good|preferable|nicer|cleaner|simpler|easier"
    r"|safer|right|perfect|great)\b|\b(?:works|is fine|is good) for (?:me|us|now)\b|\bi(?:'d| would)? (?:like|prefer"
    r"|lean|vote|pick|choose|take)\b"
)
QUESTION = re.compile(
    r"^(?:what (?!if|about)|where|when|who|which|how (?!about)|is|are|does|do|did|will|has|have|was|were|why"
    r"|can (?:i|you)|could (?:i|you)|would you)\b"
)
QUOTES_SOMEBODY = re.compile(
    r"^(?:you (?:wrote|said|mentioned)|(?!i |we |who )\w+ (?:said|says|wrote|asked|commented)"
    r"|my \w+ (?:used to say|always says?|always said)|quote|from the (?:docs"
    r"|readme|issue)|the (?:docs?|readme|issue|ticket|comment|error|message) says?)\b"
)
# A report of how something behaves, not an opinion about it.
NOT_WORKING = re.compile(
    r"\b(?:still|doesn't|does not|doesnt|didn't|didnt|isn't|isnt|not|no longer|won't|nope|never)\b.{0,40}\b(?:work"
    r"|working|works|fire|firing|fixed|show|showing|appear|help|see|pass|passing|load|loading|compile|start|there"
    r"|broken|fail\w*|leak\w*|crash\w*|wrong|happen\w*|error\w*|slow|got|get|getting|goes|stops?)\b|\b(?:is|are"
    r"|keeps?|started) (?:failing|broken|crashing|hanging|leaking|timing out)\b"
    r"|\b(?:returns?|shows?|gets?|got|gives?|displays?|prints?|throws?|says|sends?|goes) .{2,80}\b(?:instead of"
    r"|rather than)\b|\bthere(?:'s| is) a bug\b"
    r"|\b(?:is|are|looks?) (?:wrong|off by|outdated|incorrect|broken|missing|empty|blank) (?:when|if|in|on|after"
    r"|for|at|since)\b"
    r"|\b(?:same (?:error|issue|problem|thing|result)|no luck|didn't help|broke(?:n)? again"
    r"|funktioniert (?:immer noch )?nicht|geht nicht|还是不行|没用|报错)\b"
)


def approves(low: str) -> bool:
    """Whether a sentence begins by agreeing, or ends so."""
    clauses = [clause for clause in CLAUSE.split(low.strip(" !")) if clause.strip()]
    if not clauses:
        return bool(APPROVES.match(low))
    if APPROVES.match(clauses[0]) or APPROVES.match(low) or AGREES_AT_END.search(low):
        return True
    later = [clause for clause in clauses[1:] if not MILD.match(clause)]
    if MILD.match(clauses[0]) and later and APPROVES.match(later[0]):
        return True
    return len(low) < 80 and any(" " in clause and APPROVES.match(clause) for clause in later)
