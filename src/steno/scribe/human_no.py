"""How people say a plain no, in a cue table."""

from steno.scribe.human_cues import table

_YOU_BAD = (
    r"haven't|havent|didn't|didnt|did not|have not|forgot|missed|ignored|broke|shouldn't|should not"
    r"|should have|should've|keep|kept|were supposed|misunderst\w+|misread|just (?:removed|deleted|broke|changed"
    r"|rewrote)"
    r"|can't just|cannot just|still haven't|made (?:that|this|it) up|went too far|overcomplicat\w+|over-?complicat\w+"
)
_BAD = (
    r"horrible|terrible|awful|ugly|shit+y?|crap(?:py)?|garbage|nonsense|bullshit|stupid|dumb|wrong|incorrect|gross"
    r"|hideous"
    r"|disgusting|ridiculous|insane|unacceptable|overkill|pointless|useless|redundant|unnecessary|hacky|bloated"
    r"|misleading|scary|creepy|noisy|cluttered|clumsy|sloppy|bonkers|absurd"
    r"|confusing|annoying|a mess|a hack|lame|bad|worse|unreadable|outdated|out of scope|premature|too much|quatsch"
    r"|falsch"
)
_NOT_AN_ORDER = (
    r"worry|know|think|see|have|we\b|i\b|you\b|they\b|get\b|remember|understand|mind|want|like|need|care|agree|trust"
    r"|believe|fully|seem|really|even|actually|exist|work|match|appear|feel|show up|the\b|these|those|it\b|sweat"
)

HARD_NO = table(
    (
        "a plain no",
        0.9,
        (
            r"^(?:no+|nope|nah|nein|nee|nö|ne(?=,)|negative|hell no|absolutely not|definitely not|of course not"
            r"|certainly not"
            r"|no way)\b"
            r"(?! (?:problem|worries|idea|rush|doubt|wonder|one\b|matter|biggie|prob\b|stress|longer|errors?|issues"
            r"|changes))",
            r"(?:[,;:!.…–—-] |\b(?:but|please|pls) )no (?:more |new |extra |additional |separate |other"
            r" )?(?!problem|worries|idea|rush"
            r"|doubt|wonder|one\b|matter|longer|errors?|issues?|changes|luck|need|crash\w*|warnings?|failures?|output"
            r"|response|data|logs?|effect|results?|regressions?|complaints|bugs?|sign|trace|leaks?|delay|lag|downtime"
            r"|difference|reason|way\b|clue"
            r"|such)\w+(?!.*\?$)",
            r"^(?:won't|will not) (?:support|do|have|use|add|cover|include|touch|need)\b"
            r"|^(?!there|it |is |has |with |why |or |if |hell )[\w./-]+(?: [\w./-]+)? (?:no|nope|nein)[,;:] \w+"
            r"|^(?:hard |i'll )?pass[.!]*$|^no,? thanks|^(?:lieber|besser) nicht\\b|^nicht\\b",
            r"^(?:那不行|这不行|行不通|不要|不行|不用|别|不是|不对|停|不)|我不想|不应该|没必要|太复杂|不需要",
            r"^(?:neither|none of (?:them|these|those|the))\b|\bso no[.! ]*$|[,;] (?:but )?no to\b"
            r"|\b(?:out of scope|yagni|no.go|deal ?breaker|non.starter|shouldn't have|should (?:not|never) have)\b"
            r"|^(?:way |far |a bit |bit )?too (?!bad|late|easy|true|right|fast for|kind)\w+",
            r"(?:^|[,;] |\bbut )(?:the )?[\w./-]+(?: [\w./-]+)? (?:no|nope|nein|is not|isn't|is out|has to go|have to"
            r" go|must go|can go|needs to go)[.!]*$",
            r"\b(?:can|could|would|will) (?:you|u) (?:please |pls )?(?:stop|quit|not)\b|\bplease stop\b"
            r"|\bstop \w+ing\b",
        ),
    ),
    (
        "an order to stop",
        0.9,
        (
            r"^(?:stop+|halt|hold (?:on|off|up)|hang on|wait|abort|cancel|never ?mind|nvm|forget (?:it|that|about|what)"
            r"|whoa|stopp|halt)\b"
            r"(?! (?:me\b|until|for the|hook|button|command|event|sequence|time|words?|here and))",
            r"^(?:(?:scratch|scrap|strike|bin|can) (?:that|it|this|the)\b|hold your|slow down|back up|enough|quit"
            r" \w+ing|warte|hör auf)\b",
        ),
    ),
    (
        "an order to undo",
        0.9,
        (
            r"\b(?:revert|undo|unwind|rip (?:it|that|this|them|those|the \w+|all \w+) out|take (?:it|that|this|them"
            r"|those|the \w+|all \w+)(?: back)? (?:off|out)|(?:tear|strip|pull|yank) (?:it|that|this|them|those|the"
            r" \w+) (?:off|out)|back (?:it|that|this|those) out|put(?:ting)? (?:[\w./-]+ ){1,4}back\b|change (?:it"
            r"|that) back)\b",
            r"^(?:can (?:you|we) |let's |please )?(?:roll ?back|roll (?:it|that|this) back|go back to)\b",
            r"\brestore the (?:old|original|previous)\b|\brückgängig\b|\bzurücksetzen\b|撤销|回滚|还原",
        ),
    ),
    (
        "something not wanted",
        0.9,
        (
            r"\b(?:i|we) (?:don't|dont|do not|didn't|didnt|did not|never) (?:really |actually |even |ever "
            r"|necessarily )?"
            r"(?:want|like|need|ask|asked|agree|trust|believe in|care|request|said|say|mean|meant|buy|see (?:why|the"
            r" (?:point"
            r"|need|value)))\b",
            r"\b(?:not|isn't|ain't|won't) (?:going to |gonna )?happen(?:ing)?\b(?! (?:when|if|again|anymore))|\bis a"
            r" no\b|\ba no from\b|\blass (?:mal|es|das)\b",
            r"(?:^|\b(?:please|pls|to|better|rather|but|and) )not (?:to )?(?:use|add|touch|change|remove|delete"
            r"|rename|do|make|put|include|restart|deploy|break|merge|rewrite)\b",
            r"\b(?:i|we) would(?:n't| not) (?:really |even |actually )?(?:want|like|need|do|use|care|go|bother"
            r"|recommend)\b",
            r"\bich (?:will|möchte|mag|brauche|wollte) (?:das |es |hier |dass |diese\w* )?(?:nicht|kein)"
            r"|\bbitte (?:nicht|kein)",
            r"\b(?:das|es|wir|den|die|so) (?:\w+ ){0,4}(?:nicht|kein\w*|weg)$|\blass das\b|\bdas ist (?:falsch"
            r"|quatsch|unsinn|nicht)\b",
        ),
    ),
    (
        "an order not to",
        0.85,
        (
            rf"\b(?:don't|dont|do not) (?:you )?(?:ever |just |go |even |start )?(?!{_NOT_AN_ORDER})\w+",
            r"\bno need (?:to|for)\b|\bnot (?:needed|necessary|required|wanted|acceptable|ok(?:ay)?\b|allowed)",
            r"\bnot (?:what i|how i|how we|the way|what we|worth|(?:a )?good (?:idea|enough)|a fan|here\b|now\b"
            r"|yet\b(?!.*\?))",
            r"\bnot (?:in|for|as part of) (?:this|the) (?:pr|branch|commit|change|ticket|release|sprint|issue|mvp"
            r"|v1)\b",
        ),
    ),
    (
        "a harsh judgement",
        0.85,
        (
            rf"\b(?:is|are|was|were|looks?|feels?|seems?|that's|thats|it's|its|so|such an?|really|just|pretty"
            rf"|completely|totally"
            rf"|plain|utterly|kinda|very|bit) (?:{_BAD})\b(?! (?:with|in|here)\b.*\?)",
            r"\b(?:misnomer|deprecated|obsolete|unmaintained|scope creep|asking for trouble|was fine (?:before|as)"
            r"|come on|over-?engineer\w*|(?:bad|terrible|horrible|awful|stupid) (?:idea|name|choice|design"
            r"|approach)|wtf|the hell)\b",
            r"\b(?:makes? (?:no|zero|little) sense|(?:doesn't|does not|don't|doesnt) make (?:any |much )?sense"
            r"|makes me (?:sad|cry))\b",
            rf"\b(?:anything|everything) else (?:is|would be|are) (?:{_BAD})|\bsucks\b|\byou idiot|\b(?:hates?"
            rf"|dislikes?|can't stand|vetoed|forbids?|forbade)\b",
        ),
    ),
    (
        "a denial of what was said",
        0.85,
        (
            r"^(?:that's|thats|this is|that is|it's|its|it is|these are|those are) (?:still |also |clearly |just "
            r"|actually )?"
            r"(?:not|wrong|incorrect|false|untrue|backwards|outdated)\b",
            r"^(?:that|this|it|those|these|they) (?:isn't|isnt|wasn't|ain't|aren't|doesn't belong|shouldn't"
            r"|should not|must not|won't"
            r"|wouldn't|will not|can't be|cannot be|makes no)\b",
            r"^not (?:quite|really|exactly|true|correct|right|at all|like that|that one|this one)\b|^(?:wrong"
            r"|incorrect|false)\b(?! (?:window|chat|tab|terminal|thread))",
            r"\b(?:option|approach|plan|idea|proposal|solution|suggestion) ?\w? (?:doesn't|does not|doesnt) work\b",
            r"\b(?:won't|wouldn't|wont|can't|cannot|will not|not going to) (?:really )?(?:work|scale|help|cut it"
            r"|fly|do)\b(?!.*\b(?:when i|error|anymore)\b)",
        ),
    ),
    (
        "a complaint about what the agent did",
        0.8,
        (
            rf"\b(?:you|u) (?:{_YOU_BAD})\b",
            r"\byou(?:'re| are) (?:not |wrong|missing|ignoring|making (?:this|it|things|stuff)|going in|over"
            r"|assuming|guessing|still|again)",
            r"\bdu hast (?:\w+ ){0,4}(?:nicht|vergessen)|\bi (?:already |just )?(?:told|asked) you\b"
            r"|\bi (?:already |just |clearly |specifically )said\b|^i (?:said|asked for|wanted|told)\b",
            r"^you (?!wrote|said|mentioned|asked|need|noted|recommended|suggested|proposed|offered|pointed|fixed"
            r"|nailed)"
            r"\w{2,}ed\b(?! to know)",
            r"\bwhere did (?:the|my|our|that) \w+ go\b|\bwho (?:said|told you|asked)\b|\bhow many times\b",
        ),
    ),
)
