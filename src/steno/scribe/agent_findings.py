"""Cues that speak for or against a finding, in lower-case text."""

from steno.scribe.agent_cues import NEGATED, REASON, cue

_NUMBER = "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"

DISCOVERY = (
    cue(
        "names a cause",
        3.0,
        r"\b(?:root|real|actual|underlying|fundamental|core|main|only) (?:cause|problem|issue|bug|reason|"
        r"culprit|picture)\b",
        r"\b(?:issue|problem|bug|cause|culprit|reason|catch|defect|trouble|mistake|failure|mismatch|gap|"
        r"blocker|crash|regression)s?\b[^:!?\n]{0,24}(?:\b(?:is|are|was|were|lies|sits|seems|might be|may be|"
        r"could be)\b|:)",
        r"\b(?:that's|this is|that is|which is|explains) (?:exactly )?why\b|\b(?:which|that|this) (?:also )?explains\b",
        r"\b(?:caused by|comes from|stems from|due to|turns? out|because of)\b",
        r"\bthis is (?:a|the) (?:real |actual )?(?:bug|defect|problem|issue|race|leak|regression)\b",
        r"\b(?:the )?key (?:insight|finding|point)\b",
        r"\b(?:is|are|was|were) (?:exactly |just )?(?:what|the (?:one|part|thing|reason)) (?:that )?\w+(?:s|ed|ing)\b",
        r"\b(?:comes? down to|(?:is|are|was|were) (?:to blame|at fault)|responsible for|triggered by|the result of)\b",
        r"\b(?:ursache|grund|fehler|problem)\b[^:!?\n]{0,24}(?:\b(?:ist|liegt|sind)\b|:)|\bliegt (?:an|daran)\b",
    ),
    cue(
        "opens as a finding",
        1.5,
        r"^\W*(?:(?:one|my|another|the|key) )?(?:found|confirmed|findings?|results?|observation|gefunden|bestätigt|"
        r"ergebnis|heads[- ]up|warning|careful|caveat|(?:more )?thing|note|hinweis|achtung)\b(?: it)?[^:.!?]{0,20}:",
    ),
    cue(
        "gives figures",
        1.5,
        r"\d ?(?:%|ms|kb|mb|gb|s|x|percent|seconds|minutes|hours|prozent)(?:\W|$)",
        r"\b(?:from|instead of|vs\.?|versus|than|against|down to|up to|statt)(?: about| roughly| only)? ~?\d",
        rf"\b(?:\d[\d.,]*|{_NUMBER}|none|most|half|some|all) (?:out )?of (?:the |our |its |those |\d)",
        rf"\b(?:{_NUMBER}|dozens?|hundreds|thousands|zero|\d+) "
        r"(?:of |different |more |\w+ed )?[a-z]{3,14}s\b",
        r"\b(?:on|since|until|last|in) (?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|"
        r"july|august|september|october|november|december|20\d\d)\b",
        r"\b(?:twice|\w+ times) (?:as|the|per)\b|\b\d[\d.,]* (?:rows|orders|users|records|lines|files|requests|"
        r"calls|entries|customers|tables|columns|commits|copies|duplicates)\b",
    ),
    cue("says what is not so", 1.5, NEGATED.pattern, r"\b(?:nicht|kein\w*|niemals|weder|fehlt|fehlen)\b"),
    cue(
        "counts or limits",
        1.5,
        r"\b(?:only|once|single|sole|just one|just a|it's just|both|every|each|all (?:three|four|\d+|of|sessions|"
        r"callers)|nowhere|still|already|always|\d+ (?:of|out of) \d+|the (?:first|same|other) |nur|immer|jedes mal)\b",
    ),
    cue(
        "says what code does",
        1.0,
        r"\b(?:returns?|calls?|uses?|used|drops?|consumes?|runs?|ran|fires?|fired|expects?|requires?|lives?|"
        r"points?|loads?|loaded|"
        r"stores?|writes?|reads?|parses|contains?|has|have|wins?|passes|goes|handles?|supports?|depends|"
        r"defaults?|inherits?|overrides?|"
        r"shows?|shown|operates?|fetched|emits?|queues|flushes|blocks?|throws?|fails?|breaks?|broke|skips?|"
        r"scans?|resolves?|matches|sits|keeps?|kept|gets?|takes?|sends?|creates?|deletes?|clears?|closes?|"
        r"opens?|updates?|counts?|adds?|checks?|looks?|touch(?:es)?|conflicts?|is (?:called|"
        r"set|used|stale|wrong|empty|null|nil|missing|broken|required|redundant|defined|exported|persisted|"
        r"stored|invalid|obsolete))\b",
    ),
    cue(
        "says what code does",
        1.0,
        r"\b(?:the|each|every|which|that|it|this|and) (?:[\w`-]+ ){0,2}[a-z]{2,20}s "
        r"(?:the|an?|its|every|each|another|no|all|any|on|in|to|from|by|at|before|after|when|if|with|nothing)\b",
        r"\b(?:is|are|was|were|gets?|being) (?:also |only |then |last |not |\w+ly )?[a-z]{2,16}(?:ed|en|wn|nt)\b",
        r"\b(?:happens?|occurs?|expired?s?|differs?|exits?|hangs?|crashes|climbs?|grows?|drops|leaks|trims?|strips?|lacks?|"
        r"ships?|returns|rejects?|ignores?|truncates?|rounds?|treats?|lands?|arrives?|starts?|stops?|waits?|holds?|sits?)\b",
        r"\b[a-z]{3,20}[^s\W]s (?:any|every|each|its|the|nothing)\b",
        r"\b(?:wirft|kommt|kommen|überspringt|liefert|schreibt|liest|läuft|nutzt|verwendet|enthält|prüft|wird|werden)\b",
    ),
    cue(
        "explains",
        1.0,
        r"\b(?:because|which means|that means|so (?:it|the|they|every|all|none|nothing))\b",
        r"\b(?:weil|deshalb|daher|sodass|dadurch)\b",
    ),
    cue(
        "names a defect",
        1.5,
        r"\b(?:a|the|is|an) (?:\w+ )?(?:race|leak|deadlock|typo|off-by-one|mismatch|regression|misconfiguration|"
        r"collision|loop|cycle|overflow|shadowing|false positive|no-op|red herring)\b",
    ),
    cue(
        "was checked",
        1.0,
        r"\b(?:confirm(?:s|ed)|verified|reproduc(?:es|ed)|found that|i found|narrowed|traced|measured|compared)\b",
    ),
    cue(
        "points it out",
        1.0,
        r"\b(?:note that|notably|relevant|importantly|worth noting|keep in mind|be aware|crucially|noticed|heads[- ]up|"
        r"should know|worth knowing|fyi|by the way|übrigens|aufgefallen|stillschweigend)\b",
    ),
    cue(
        "says what is wrong",
        1.0,
        r"\b(?:stale|unused|dead|wrong|outdated|broken|duplicated?|redundant|incomplete|obsolete|mandatory|"
        r"misrouted|leak(?:s|ing)?|stuck|flaky|"
        r"hard-?coded|deprecated|inconsistent|corrupt(?:ed)?|silently|swallow(?:s|ed))\b",
    ),
    cue("names a place", 0.5, r"\blines? \d+|:\d{1,5}\b|\bin (?:the )?(?:constructor|`|[\w./-]+\.[a-z]{2,4}\b)"),
    cue(
        "contrasts",
        1.0,
        r"\b(?:but|however|actually|even though|although|despite|instead of|whereas|while|rather than|"
        r"(?:more|less|fewer|larger|smaller|bigger|slower|faster|longer|older|newer) than)\b",
    ),
    cue("gives a reason", 1.0, REASON.pattern, r" — "),
    cue("stresses", 1.0, r"\*\*[^*]{2,}\*\*"),
    cue("asks", -5.0, r"\?\W*$"),
    cue("announces", -2.5, r"\b(?:let me|i'll|i will|let's|i need to|we need to|want me to)\b"),
    cue(
        "proposes",
        -1.5,
        r"\b(?:should|would|could|can be|we can|you can|needs? to|consider|propos\w+|"
        r"recommend\w*|suggest(?:ed|ion)?)\b",
    ),
    cue(
        "reports own work",
        -2.0,
        r"\b(?:i've|i have|i (?:also |just )?(?:added|updated|removed|created|changed|"
        r"fixed|wrote|put|introduced|moved|renamed|replaced|used)|we(?:'ve| have| now have| removed))\b",
    ),
    cue(
        "reports own work",
        -2.0,
        r"^(?:\W|\d)*(?:added|updated|removed|created|changed|fixed|replied|"
        r"commented|committed|merged|deleted|moved)\b",
    ),
    cue("reports a look", 2.0, r"\bi(?:'ve| have) (?:confirmed|found|verified|narrowed|checked|traced|reproduced)\b"),
    cue(
        "reports a look",
        1.0,
        r"\bi (?:also |just )?(?:checked|noticed|looked|compared|counted|measured|profiled|"
        r"ran|saw|spotted|discovered|came across|stumbled)\b",
    ),
    cue("reports a look", 1.0, r"\bi see (?:an?|the|that|no|\d)\b"),
    cue("compares figures", 1.0, r"\d[\d.,]*(?: ?[a-z%]{1,8})?\b[^\d!?]{2,60}\s\d"),
    cue(
        "points at it",
        2.0,
        r"^\W*(?:no, |yes, )?(?:it's|it is|it was|that's|das ist) (?:the|an?|your|our|der|die) [^.:!?]{3,40}:",
    ),
    cue("offers a choice", -3.0, r"^\W*(?:yes, |no, )?either\b|, or (?:we|you|i) (?:could|can)\b"),
    cue("tells what to know", 2.0, r"\byou should (?:also )?know\b|\bgood to know\b"),
    cue(
        "waits for a result",
        -1.5,
        r"\bif (?:it|they|you|the|this|that)\b",
        r"\b(?:to verify|to check|make sure)\b",
    ),
)
