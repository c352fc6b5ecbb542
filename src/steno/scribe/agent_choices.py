"""Cues that speak for or against something having been decided, in lower-case text."""

from steno.scribe.agent_cues import REASON, cue

DECISION = (
    cue(
        "says how it is done",
        3.0,
        r"\b(?:pattern|strategy|approach|plan|design|solution|convention|rule|idea|layout|split) (?:is|"
        r"will be|becomes|stays)\b",
        r"\bthe (?:\w+ )?(?:solution|change) (?:is to|goes|lands|belongs|here is|:)",
        r"\b(?:goes|go|lands?) (?:in|into) (?:#|pr\b|its own|a (?:new|separate|later))|\bbelongs? (?:in|to|under)\b",
        r"\b(?:take|took|taking|keep|kept|keeping|use|used|using) (?:theirs|ours|the \w+'s|the (?:old|new|"
        r"existing|parent)[\w' ]*) ?(?:version|copy|side)?\b",
        r"\b(?:leave|leaving|keep|keeping|stays?|staying|left) (?:it|them|this|that|as|in|the|"
        r"`)[^!?\n]{0,60}\b(?:since|because|correct|as is|for now|intact|in place|reference|untouched)\b",
        r"\b(?:stays?|remains?|left|leave|kept|bleibt|bleiben)\b[^.!?\n]{0,30}\b(?:as (?:it|they) (?:is|are|was|were)|"
        r"as is|unchanged|untouched|alone|where (?:it|they)|on by default|off by default|unverändert)\b",
        r"\bshould (?:just|simply) \w+\b|\boption \w+ is (?:correct|right|better|cleaner|it)\b",
        r"\b(?:final|chosen|agreed) (?:\w+ )?(?:structure|layout|switchover|design|approach|fix)\b",
        key=True,
    ),
    cue(
        "states the fix",
        5.0,
        r"\bthe (?:\w+ )?fix(?: for [^,.:]{1,40})?(?:\*\*)?(?::| (?:is to|was to|was adding|goes|belongs|lands))",
        key=True,
    ),
    cue(
        "says it was chosen",
        4.0,
        r"\b(?:i'll go|i went|going|went|we go|let's go) with [^y\s]|(?:^|[^-\w])(?:chose|chosen|settled on|opted for|"
        r"picked|agreed on)\b",
        r"\b(?:i|we)(?:'ve| have)? decided\b|\bfrom (?:here|now) on\b|\bgoing forward\b",
        r"^\W*(?:final |the )?(?:decision|answer|resolution|verdict|chosen \w+|new (?:layout|design|structure|"
        r"flow|order|rule))[*_]*:",
        r"^\W*(?:agreed|understood)[\s:,—–-]+\w",
        r"\b(?:as|like) (?:agreed|discussed|decided|planned|requested)\b|\bper your \w+",
        r"\b(?:as|like|what) you (?:asked|suggested|wanted|requested|preferred)\b",
        key=True,
    ),
    cue(
        "tells the way taken",
        3.0,
        r"\b(?:i|we)(?:'ve| have)? (?:also )?(?:replaced|moved|switched|made|changed|scoped|limited|dropped|inlined|"
        r"merged|split|left|kept|turned|renamed|extracted)\b[^!?\n]{0,160}"
        r"(?:\b(?:so that|so we|because|since|instead|to avoid|rather than)\b|, so\b)",
        r"\b(?:i'll|i will|i'm|let's) (?:use|keep|drop|store|put|make|leave|skip|using|keeping|dropping|"
        r"storing|leaving|write one|turn|convert|split|merge|replace|switch|model|treat|limit|cap|pin|wrap|group|"
        r"skipping)\b[^!?\n]{0,160}(?:\b(?:because|since|instead|rather than|as is|so that|so we|entirely)\b|, so\b)",
        r"^to (?:avoid|keep|prevent|ensure|make sure|preserve)\b[^,]{3,80},",
        r"\b(?:cleanest|simplest|safest|best|right|better|cleaner|simpler) (?:option|way|approach|place|fix|"
        r"home|choice|solution)\b",
        r"\bwe(?:'ll| will) (?:use|keep|store|put|move|drop|go|make|leave|skip|treat|require|return|split|"
        r"write|call|name|add|remove|run|build|ship|support)\b",
        key=True,
    ),
    cue(
        "says how it will be",
        2.5,
        r"\b(?:i'll|i will|we'll|i'm going to|i'm) (?:then |just |only )?(?:turn|convert|make|move|replace|switch|"
        r"split|merge|rename|drop|keep|use|store|put|treat|limit|cap|pin|route|group|wrap|restrict|reuse|fold|derive)"
        r"(?:ing)?\b[^!?\n]{3,120}\b(?:into|as|with|by|in|from|without|only|per|under|and|for|behind|on)\b",
        key=True,
    ),
    cue("says where it goes", 2.0, r"\b(?:goes|go|lands?) (?:in|into|to) (?:an? |the |`|stdout)", key=True),
    cue(
        "sums up the wish",
        1.5,
        r"^\W*(?:(?:ok|okay|good|great|right|alright|fine|gut)\b[,:—. ]+)?(?:so|then|also|dann)\b[:,]? \w",
        r"^\W*(?:ok|okay|good|right|alright|fine|sure|gut)[,:—] \w",
        key=True,
    ),
    cue(
        "says how we do it",
        3.0,
        r"\b(?:so |and |then |now |but )?we (?:now |only |just |always |never )?(?:store|keep|use|write|read|send|log|"
        r"cache|validate|retry|accept|reject|return|treat|round|sort|key|ship|skip|support|drop|leave)\b",
        key=True,
    ),
    cue(
        "restates the person's wish",
        3.0,
        r"^\W*(?:understood|got it|noted|agreed|clear|will do|roger|verstanden|alles klar|in ordnung)\b[\s:,;—–-]+\w",
        r"^\W*(?:ok|okay|alright|right|fine|sure|gut)\b[\s:,;—–-]+(?:so )?(?:[^\s.!?]+ ){0,4}(?:only|it is|then|"
        r"no \w+)\b",
        r"^[^.!?:]{2,50}\b(?:it is|then)(?:[.!]?$|[:,] )",
        key=True,
    ),
    cue(
        "carries out what was settled",
        2.5,
        r"^\W*(?:using|keeping|kept|implementing|pinned|pinning|limited|switching|switched|dropping|storing|"
        r"restricted|capped|routed|grouped|unchanged|untouched|left)\b[^!?\n]{8,}",
        r"^[^.!?,:]{3,60}\b(?:kept|dropped|pinned|unchanged|untouched|stays?|bleibt)\W*$",
        key=True,
    ),
    cue(
        "says what should be",
        2.0,
        r"\bshould (?:be|use|store|live|come|go|stay|search|return|only|always|never|get|keep)\b",
        key=True,
    ),
    cue(
        "chooses one over another",
        2.0,
        r"\b(?:instead of|rather than|in favou?r of|cleaner than|simpler than|clearer)\b",
        r"\bno more\b",
        key=True,
    ),
    cue(
        "picks the fix",
        3.0,
        r"^(?:so |now )?let me (?:update|change|rewrite|rework|simplify|scope|inline|add|move|replace|make|"
        r"use|switch|drop|restrict|reinitialize)\b"
        r"[^!?\n]{0,90}\b(?:to (?:verify|use|match|create|filter|also|return|accept|handle|avoid|keep|support|"
        r"reflect|make|take|work|allow|prevent|require|skip|read|write|expect|store|go|run)\b|after|before|"
        r"so that|instead|and (?:simplify|drop|remove|use|keep))\b",
        r"\bso i'm (?:adding|changing|moving|removing|using|switching|keeping|making|replacing)\b",
        r"\b(?:also )?needs? (?:to|updating)\b[^!?\n]{0,80}\b(?:since|because|now that)\b",
        key=True,
    ),
    cue(
        "tells new behaviour",
        2.5,
        r"\bnow (?:\w+s|only|use|go|live)\b",
        r"\b(?:falls? back|fallback:|defaults? to)\b",
        r"^\W*new\b[: ]",
        key=True,
    ),
    cue("gives a reason", 1.0, REASON.pattern, r" — ", r"\bwhich (?:also|means|keeps|avoids)\b"),
    cue("asks", -6.0, r"\?\W*$"),
    cue("reports a look", -3.0, r"\bi (?:also |just |have |'ve )?(?:checked|noticed|looked|compared|counted|found)\b"),
    cue("tells an outcome", -2.5, r"\bnow (?:passes|matches|works|compiles|builds|succeeds|agrees|fails)\b"),
    cue(
        "leaves it open",
        -2.5,
        r"\b(?:either|or would|depends|alternatively|one of|one (?:approach|option|way|idea)|"
        r"another (?:is|option|way|one|"
        r"would)|could|(?:i|we|you|it|that|this|which) would|"
        r"would be|if (?:we|you|it|this|the))\b",
    ),
    cue("offers", -4.0, r"\b(?:want me|should i|would you|let me know|can either|consider|worth)\b"),
)
