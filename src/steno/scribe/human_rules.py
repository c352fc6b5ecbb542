"""How people say what always holds without saying "always": who must be asked, what is closed, what is disliked."""

from steno.scribe.human_cues import table

_WORK = (
    r"(?:prs?|pull requests|commits?|diffs?|patches|functions|methods|classes|files|modules|names|answers|replies"
    r"|responses|explanations|summaries|messages|comments|docstrings|tests|changes|code|docs|changelog|readme|build"
    r"|lines|imports|branches|migrations|logs|queries|dependencies|deps)"
)
_DONE_TO_CODE = (
    r"(?:touch|push|merge|deploy|edit|change|commit|delete|rename|release|restart|write|modify|approve)(?:e?s)?"
)
_ACTS = (
    r"(?:force.?push(?:es|ing)?|pushes|deploys?|deployments?|merges?|commits?|releases?|refactors?|refactorings?"
    r"|renames|restarts?|migrations?|rewrites|reformatting|drive.?by \w+|squash\w*|rebas\w+|secrets|tokens|passwords"
    r"|breaking changes|schema changes|direct \w+)"
)
_AGREED = (
    r"(?:api|apis|schemas?|formats?|contracts?|interfaces?|protocols?|spec|signatures?|payloads?|endpoints?|names|ids"
    r"|urls|keys|columns|tables|wire|events?|types|branch|release|folder|directory|module)"
)
_TONGUE = r"(?:english|german|deutsch|french|spanish|chinese|japanese|plain \w+|bullet points|markdown)"
_HOURS = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekends?|nights?|maintenance|business hours|office hours"
    r"|working hours|window|quiet hours)"
)

HABITS = table(
    (
        "a standing instruction",
        0.8,
        (
            r"\bfor (?:future|your) reference\b|^(?:in general|generally|generally speaking) ?[:,–—-]|\bas a matter of"
            r" (?:course|principle|policy|habit)\b|\bno exceptions?\b|\bby convention\b|\bat all costs\b"
            r"|^(?:if|when) in doubt\b|^unless (?:i|we) (?:say|tell|ask|specify|explicitly)\b"
            r"|\bunless (?:i|we) (?:say|tell|ask|specify|explicitly)\b",
            r"^(?:\w+ )?(?:house|my|our|general|golden|ground|one|team|the) rules?(?: (?:is|here)\b| ?[:–—-])"
            r"|\b(?:at|in|on) (?:this|our) (?:company|agency|shop|office|firm|lab|team|org|project"
            r"|repo),? we (?!have|had|are|were"
            r"|got)\w+",
            r"\b(?:let me know|show me|ping me|message me|warn \w+|ask \w+|check with \w+|talk to \w+|run (?:it"
            r"|that|them"
            r"|this) (?:past|by) \w+)(?: \w+){0,2} before (?:you|any|every|each|\w+ing)\b|\bask before\b",
            r"^any(?:thing|body|one)? (?!else|news|idea|luck|chance|update"
            r"|progress)[^?]{2,70}?\b(?:goes (?:through|via|to"
            r"|past)|needs? (?:an?|to|my|tests?|\w+'s|approval|review|docs?)|must|should|has to|have to"
            r"|requires?|gets (?:an?|its)"
            r"|is to be)\b",
            rf"^(?:nobody|no one|no-one|noone|none of us)(?: else)? (?:ever )?(?:{_DONE_TO_CODE}|is allowed to|may"
            r"|gets to|should)\b",
            rf"^(?:absolutely |strictly |and )?no (?:\w+ )?{_ACTS}(?=[.!,;]|$| (?:on|in|to|from|before|after"
            rf"|during|unless|until|without|while)\b)"
            r"|^(?:absolutely |strictly )?no (?!errors?|warnings?|output|luck|idea|way|need|one|problem)(?:[\w-]+"
            r" ){1,3}(?:without|unless|until) \w+",
            r"\b(?:would|do) you mind (?:\w+ )?not \w+ing\b|\b(?:limit|restrict|confine) yourself to\b"
            r"|^you(?:'re| are) (?:not|never) (?:allowed|permitted|supposed) to\b",
            rf"^(?:please |try to |always )*keep (?:\w+ ){{0,2}}{_WORK} (?:\w+ )?(?:simple|small|short|minimal"
            rf"|consistent"
            rf"|clean|tidy|readable|boring|focused|separate|atomic|terse|brief|concise|up to date|in sync|green|sorted"
            rf"|under|below|free of)\b|^(?:please )?try to (?:keep|avoid|stick|write|use) (?!it|that|this)\w+",
            rf"^(?:answer|reply|respond|speak|talk|write)(?: to me| back)? (?:only )?in {_TONGUE}\b"
            r"|^treat (?:\w+ )?\w+s as \w+|^(?:double.?check|re.?check|verify|run"
            r"|check) [^?]{2,60} every (?:single )?time\b",
            r"\bit(?:'s| is) (?:very |really |super )?(?:important|crucial|essential|vital) (?:that|to (?!me|us"
            r"|know|note)|you)",
        ),
    ),
    (
        "a way of working",
        0.8,
        (
            r"^(?:comments?|commit messages?|docstrings?|tests|names|functions|errors?"
            r"|error messages) should (?!work|be"
            r" (?:fine|ok|green|there|gone|passing)|pass|fail|now)\w+",
            r"^we keep (?:\S+ ){1,4}(?:out of|in|away from|under)\b|\bi (?:review|approve"
            r"|sign off(?: on)?) (?:every|each|all)\b"
            r"|^you may (?:not|never|only) \w+|^all (?:\w+ ){1,2}in (?:utc|english|german|lower|upper|snake"
            r"|kebab|camel|iso)"
            r"|^(?:public|private|exported|shared|internal) \w+ (?:get|need)s? \w+|^(?:\w+ )?(?:flags|settings"
            r"|options) default to\b",
            r"^(?:every|each|new) (?:\w+ ){1,3}(?:goes? (?:through|in|into|under)|gets? (?:an?|its|their)|needs? (?:an?"
            r"|tests?|docs?|its|their))\b|^(?:tests?|plan|design|docs?|think|spec|read|ask|types) first,? (?:then|and"
            r" then|code)\b",
            r"^we (?:squash|rebase|lint|format|prefix|tag|sign|pin|write|name) .*\b(?:here|on|in|before|with"
            r"|after|every"
            r"|all)\b|\bin your (?:answers|replies|responses|messages|summaries|commits)\b",
            r"^(?:write |give me |use )?(?:shorter|fewer|less|more) (?:\w+ )?(?:answers|replies|words|prose|comments"
            r"|explanations|summaries|text|emojis)\b|^(?:reply|answer|respond) with (?:just|only|the)\b",
            r"^stop \w+ing .*\b(?:all the time|every|each|so much)\b|\bno need to \w+ .*\b(?:each|every)\b"
            r"|\bi want to (?:approve|review|see|sign off(?: on)?|read|check) (?:every|each|all|any)\b",
            r"^(?:when|if|once) you (?:finish|complete|change|add|touch|rename|create|delete|edit) (?:an?|any"
            r"|each|every"
            r"|something|anything)\b[^?]*, \w+|^(?:after|before|when) (?:changing|adding|editing|touching|renaming"
            r"|creating|deleting|merging|writing|naming|testing|committing|pushing|finishing"
            r"|releasing) [^?,]{2,60}, (?!it|the\b|i\b"
            r"|we\b|there"
            r"|my|nothing|everything|all|this|that|they|still|now|no\b)\w+",
            r"^use (?:conventional commits|semantic versioning|semver|british|american|metric|tabs|spaces|type hints)\b"
            r"|^prefix (?:all |your |the )?(?:\w+ )?\w+s with\b|^(?:stay|remain) (?:within|inside|out of|away from) \w+"
            r"|\bhands off (?:the |my |our )?\w+|^work in (?:small|tiny|short)\b|^be (?:nice|kind|polite|gentle"
            r"|friendly) (?:in|with|about|to)\b",
        ),
    ),
    (
        "something closed to changes",
        0.8,
        (
            r"\b(?:is|are|stays?|remains?) (?:strictly |completely |totally )?(?:off.limits|untouchable|taboo|verboten"
            r"|sacred|tabu)\b|\b(?:is|are) (?:not|never) to be (?!confused|found|seen)\w+|\bwe (?:don't|dont"
            r"|do not|never)"
            rf" (?:do|{_DONE_TO_CODE}|allow|accept|ship|mock|log|hardcode|squash|rebase)\b",
            rf"\b{_AGREED} (?:\w+ ){{0,3}}(?:is|are) frozen\b(?! (?:when|if|after|again|on my|and (?:i|it)))",
            rf"(?<!happens )\bonly (?:on|during|in|at|within|outside) (?:the |a |an |our )?(?:\w+ )?{_HOURS}\b",
        ),
    ),
    (
        "a preference",
        0.8,
        (
            r"\b(?:doesn't|doesnt|don't|dont|does not|do not) (?:really )?(?:like|want|appreciate) (?:it )?when\b"
            r"|\bi (?:really |absolutely |do )?(?:hate|dislike|can't stand|detest) (?:it when|when (?!it|the|my)|having"
            r" to|(?:[\w-]+ ){1,3}in (?:\w+ )?(?:code|names|tests|comments|docs|messages|commits|prs?|files)\b)",
            r"^(?:the|my|our) (?:team|boss|lead|reviewers?|company|maintainers?|colleagues?) (?:really |strongly"
            r" |always )?(?:prefers?|insists?|likes? (?:to|it when))\b",
            r"^i (?:really |do |generally )?like (?!it|that|this|the|your|my|option|these|those|how|what|where"
            r"|to\b|both"
            r"|them|cats|dogs)(?:[\w-]+ ){1,2}\w+s[.!]*$|\bi like (?:it when|\w+ to be)\b",
            r"^use \S+(?: \S+)?,? (?:and )?not \S+(?: \S+)?,? (?:for|in|when|everywhere)\b",
        ),
    ),
)
