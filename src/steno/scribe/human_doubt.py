"""How people say no without saying it: doubt, pushback by a question, corrections, offers declined."""

from steno.scribe.human_cues import table

_OFF = (
    r"wrong|off|weird|odd|strange|limiting|hacky|heavy|clunky|excessive|risky|brittle|fragile|dangerous|dirty|iffy"
    r"|fishy"
    r"|smelly|unnecessary|redundant|overkill|backwards?|wasteful|sketchy|messy|silly|too \w+"
    r"|like (?:overkill|a hack|a mess|too much|the wrong|a step back|cheating|duplication|unnecessary)"
)
_NEGATED = (
    r"isn't|isnt|aren't|arent|shouldn't|shouldnt|can't|cant|couldn't|couldnt|wouldn't|wouldnt|doesn't|doesnt|don't|dont"
    r"|didn't|didnt|wasn't|weren't|haven't|hasn't|won't|ain't"
)

SOFT_NO = table(
    (
        "a wish to rather not",
        0.8,
        (
            r"\b(?:rather not|sooner not|better not|best not|prefer not|prefer (?:we|you|it) (?:didn't|don't|weren't)"
            r"|(?:would|'d) (?:really |much |far |honestly |still )?(?:rather|sooner)|rather than|rather have"
            r"|lieber)\b|\bplease no\b"
            r"|\bi'd avoid\b",
        ),
    ),
    (
        "a question that asks for the point of it",
        0.85,
        (
            r"^why (?:the (?:hell|heck|fuck) )?(?:would|should|must|do|did|are|were|have|don't|didn't|can't|not)"
            r" (?:we|you|u|i|they|anyone|anybody|this|that|it|just|use|simply)\b(?!.*\b(?:fail|crash|error)\w*)",
            r"^why (?:so many|so much|so complicated|another|two|even|both|still|again)\b|^(?:warum|wieso"
            r"|wozu) (?:brauch|mach|nicht|hast|so)",
            r"\bwhy [^?]{1,80}\b(?:at all|in the first place|exist|even|again|necessary|needed)\b|^(?:but )?why\?+$"
            r"|为什么要|干嘛",
            r"\b(?:do|does|did|will|would) (?:we|you|it|this|that|they|i) (?:really|actually|even|still"
            r"|ever) (?:need|want|have|use|make)",
            r"^(?:do|did) (?:we|you) (?:need|have to)\b|\bis (?:that|this|it|there) (?:really|even|actually"
            r"|still) (?:needed|necessary|a )",
            r"\bis (?:all )?(?:this|that|it) (?:\w+ )?(?:needed|necessary|required|worth it|overkill)\b"
            r"|\bworth (?:it|the)\b.*\?",
            r"\bwhat(?:'s| is|s) the (?:point|use|benefit|advantage|need|value) (?:of|in|for|here)|\bwhat(?:'s"
            r"| is) this (?:even )?for\b",
            r"\bis there (?:any|a) (?:good |real |particular |specific )?reason\b|\bwhat(?:'s| is) wrong with\b"
            r"|\bbrauchen wir (?:das|den|die)\b",
        ),
    ),
    (
        "a question with the answer in it",
        0.8,
        (
            rf"(?:^|[,;:–—-] |\bbut )(?:{_NEGATED}) (?:it|that|this|these|those|the|we|you|there|they|i|our"
            rf"|my)\b[^.]*\?",
            rf"^(?:{_NEGATED}) \w+[^.]*\b(?:already|better|enough|simpler|instead|supposed|belong)\b",
            r"\b(?:can|could) (?:we|you|it) not\b|\bsollte (?:das|es|man|die|der) (?:\w+ ){0,3}nicht\b|不是应该|难道",
        ),
    ),
    (
        "a reminder of what was thought settled",
        0.8,
        (
            r"\bi thought (?:we|you|it|that|this|the|i)\b|\bi(?:'d| would)(?: have)? (?:assumed?|expect(?:ed)?"
            r"|thought|imagine)\b",
            r"\b(?:since when|what happened to|(?:as|like) i said|i (?:was )?expect(?:ed|ing)|i (?:mostly "
            r"|actually |rather |really )?meant)\b",
            r"\bwe (?:already |had |just )?(?:agreed|decided|discussed|said)\b|\b(?:already (?:have|had|got|exists?"
            r"|there))\b.*\?",
        ),
    ),
    (
        "a correction",
        0.75,
        (
            r"^(?:technically|strictly speaking|to be (?:precise|clear|fair)|for the record|correction|nit(?:pick)?"
            r"|small correction|i(?:'d| would) argue|i beg to differ)\b|👎",
            r"\bmore (?:precisely|accurately)\b|\bsupposed to be\b|\bshould(?:'ve| have) (?:been|used|gone|asked"
            r"|read|checked|kept)\b",
            r"\b(?:it|that|this)'s (?:actually|really|called)\b|\bis (?:actually|in fact) (?:the|a|an|not|called)\b"
            r"|\bnot true\b",
        ),
    ),
    (
        "something said to be there already",
        0.65,
        (
            r"\b(?:we|there's|there is|you|it|there are) (?:already|alr) (?:\w+ )?(?:have|has|had|got|an?|is|does"
            r"|do|exist)\b|\balready (?:exists?|has|have|does|there|handled|covered)\b(?!.*\bi\b)|\bthere(?:'s| is"
            r"| are) already\b|\bwe(?:'re| are) already\b|\balready us(?:e|ing)\b",
        ),
    ),
    (
        "a correction: not this but that",
        0.75,
        (
            r"[,;:)–—-] ?(?:and |but )?not (?!sure|only|just|yet|too|really|that|to mention|necessarily|if|because"
            r"|all|even|much|so)\w+",
            r"^not (?!sure|only|yet|bad|too|that|much|a bad|really|if|to)\w+[^.?]{1,80}\b(?:but|rather|instead)\b",
            r"[,;–—-] ?not (?:all|both|everything|always|the whole)\b[\w ]{0,20}[.!]*$",
            r"(?<!\bis)(?<!\bare)(?<!\bwas)(?<!'s) not (?:an?|the) \w+(?: \w+)?[\s.!]*$",
            r"^not (?!sure|only|yet|bad|too|that|this|much|a (?:bad|problem|big|huge)|an issue|really|if|to\b|sold"
            r"|gonna|going"
            r"|necessarily|all|even|so|everything|urgent|surprised|quite|exactly)\w+",
            r"^(?:(?!is|are|was|were|do|does|did|has|have|should|must|will|can|could|would|am|i|we|you|it|that|this"
            r"|why|if|or|sure|it's|that's)[\w./+-]+,? ){1,4}"
            r"not (?:an? |the |in |on |with |at |for )?(?!sure|yet|only|really|bad|now)[\w./+-]+(?: \w+)?[\s.!]*$",
            r"\binstead of\b|\bnicht \w+[^.?]{1,60}\bsondern\b|\bkein\w* \w+[^.?]{1,60}\bsondern\b"
            r"|\bstatt(?:dessen)?\b|不是.{1,30}而是",
        ),
    ),
    (
        "only one way accepted",
        0.75,
        (
            r"\b(?:only|just) want\b|\bonly (?:ever )?(?:use|accept|allow|support)\b|\bnothing (?:else|more"
            r"|fancy)\b|\bwant (?:only|just)\b",
        ),
    ),
    (
        "doubt about the proposal",
        0.7,
        (
            r"\bnot (?:so |really |entirely |quite |super |too |all that |100% )?(?:sure (?:about|i|we|if|that|this"
            r"|why|whether|it|how)|convinced"
            r"|sold|keen|happy|thrilled|comfortable|certain)\b|\bi (?:doubt|question|wonder why)\b",
            r"\b(?:i'm|im|i am|kinda|bit|little|rather) (?:worried|concerned|wary|sceptical|skeptical|nervous"
            r"|afraid|confused why|hesitant)\b",
            rf"\b(?:feels?|seems?|sounds?|looks?|smells?|is|are) (?:like )?(?:a (?:bit|little|tad) |kinda |kind of "
            rf"|quite |very |rather |so )?(?:{_OFF})\b",
            r"\b(?:way|far|much|bit|little|is|are|it's|that's|thats|its|a) too (?:complex|complicated|much|many"
            r"|verbose|long|slow|big|large|clever|fancy"
            r"|heavy|generic|broad|aggressive|strict|early|noisy|wordy|abstract|low|high|short|small|magic)\b"
            r"|\bzu (?:kompliziert|viel|lang)\b",
            r"\b(?:old|previous|original|former|existing) (?:[\w./-]+ ){0,3}(?:was|were|is|are) (?:perfectly |just "
            r"|totally |much )?(?:fine|better|good|ok(?:ay)?|nicer|clearer|simpler)\b"
            r"|\b(?:a touch|a tad|a little|slightly) too \w+|\ba lot of \w+(?: \w+)? (?:for|just|to)\b|\b(?:was|were)"
            r" (?:hoping for|expecting)\b|^who (?:needs|wants|cares|uses)\b"
            r"|\b(?:you|we) (?:could|might)(?:'ve| have)\b|\bi(?:'d| would)(?: rather)? (?:leave|keep) (?:\S+"
            r" ){1,4}(?:where|as|the way|how) (?:it|they|is)\b",
            r"^(?:are you (?:sure|certain|kidding|serious)|really\?|seriously|says who|where did you get"
            r"|what makes you think|how come)\b",
            r"\breally\s?\?|\bseriously\s?\?|\b(?:did|have) you (?:even|actually|really|bother)\b|^did i (?:ask|say"
            r"|tell)\b|\?\?\?|\?!|!\?",
            r"^(?:(?:it|that|this|the \w+)(?:'s| is)? )?(?:meh|bleh|yuck|ew+|yikes|gross|blah)\b"
            r"|[🤢🤮👎💩]",
            r"\bbist du sicher\b|\bi don't think (?:that|this|it|we|you|so|the|there)\b|\bdon't think (?:we|it"
            r"|that)\b|\bich glaube nicht\b",
        ),
    ),
    (
        "an exception made",
        0.7,
        (
            r"^(?:yes|yep|yeah|ok(?:ay)?|approved|agreed|all|everything|sounds|looks|go|fine|good|sure|lgtm|ja"
            r"|do)\b.{0,40}\b(?:except|apart from"
            r"|other than|aside from|everything but|all but|außer|bis auf|ohne)\b \w+",
        ),
    ),
    (
        "harm foreseen",
        0.75,
        (
            r"\b(?:will|would|'ll|gonna|going to|could|might|may) (?:just |probably |only |likely |definitely "
            r"|also |totally )?(?:cause|break"
            r"|conflict|mess|clash|confuse|bite|mislead|blow|slow|leak|lock|hurt|annoy|drown|flood|swamp|spam|kill"
            r"|explode|bury|haunt|scare|burn|ruin|wreck|choke|be (?:slow|confusing"
            r"|a problem|an issue|painful))\b",
        ),
    ),
    (
        "an offer declined: the person does it",
        0.75,
        (
            r"\b(?:i'll|ill|i will|let me|i can|i'd rather) (?:just )?(?:handle|do|take|fix|deal|sort|manage|test"
            r"|run|merge|push|write)\b"
            r"[^.]*\b(?:myself|over there|manually|by hand|later|separately|on my (?:own|side|end))\b",
            r"\bi(?:'ll| will) (?:handle|take care of|take over|take it)\b|\bleave (?:it|that|this|them"
            r"|those) (?:to|with) (?!the end|do\b|be\b)\w+"
            r"|\bi(?:'ve| have)? got (?:this|it)\b|\bmach(?:e)? ich (?:selbst|selber|später)\b|\bi (?:do|handle|run"
            r"|deploy|merge) (?:that|it|this|those) myself\b",
        ),
    ),
    (
        "something called superfluous",
        0.7,
        (
            r"\b(?:we|you|it|i) (?:probably |really |certainly |just )?(?:don't|dont|doesn't|do not|won't|shouldn't"
            r"|should not)"
            r" (?:really |even |actually |probably |necessarily )?(?:need|have to|want|require|add|use|be)\b",
            r"\b(?:let's|lets|let us) (?:not|skip|drop|leave|forget|avoid|hold off)\b|^(?:drop|forget"
            r"|ignore) (?:the|this|that|it|those|all)\b|(?:^|[,;] |\b(?:but|just|please|and) )(?:skip|omit|ditch"
            r"|scrap|leave out|lose) (?!to\b)\w+"
            r"|(?:^|[,;] |\bbut )(?:without|minus|sans) (?:the|an?|any|all|those|that|this)\b",
            r"\bleave .{1,60} (?:out|alone|as (?:is|it is|they are))\b|\boff.limits\b|\bhands off\b|\b(?:stay|keep)"
            r" (?:away|out|off)\b"
            r"|\b(?:nobody|no one|no-one|none of us)(?: \w+){0,4}? (?:asked|needs|wants|uses|reads|cares|will (?:use"
            r"|read|need)|ever (?:asked|uses|reads))\b"
            r"|\bi won't (?:run|use|have|pay|accept|do|merge|approve|maintain|install)\b|\bkeep (?:it|this|that"
            r"|things) (?:simple|small|minimal|boring)\b|\b(?:can|just) ignore\b"
            r"|\bget rid of\b|\bnot bother\b|\bwithout (?:the|all|any) \w+\b",
            r"\b(?:drop|ditch|kill|remove|delete|throw away|nuke) (?:that|this|it|those|them|all|the whole"
            r"|the entire|the extra|your)\b",
            r"\b(?:can|could|should) (?:we|you) (?:just |please )?(?:drop|ditch|kill|remove|delete|skip|get rid)\b"
            r"|\blassen wir (?:das|es|den|die)\b",
        ),
    ),
)
