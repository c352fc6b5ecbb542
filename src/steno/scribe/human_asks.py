"""How people instruct, prefer and ask, in cue tables."""

import re

from steno.scribe.human_cues import table

_BARE = (
    r"(?:^|[,;:.(–—-] ?|\bplease |\byou |\bu |\bwe |\bto |\band |\bbut |\bmust |\balso |\bit's "
    r"|(?<!there )\bshould )"
)
_ACTS = (
    "read touch edit change modify commit push use add create write delete remove run install mock rename refactor"
    " invent"
    " guess assume skip merge deploy start make put ask include mention hardcode rewrite reformat overwrite break"
    " implement"
    " log print import stub fake be commit squash rebase amend force bump generate call introduce expose store rely cut"
)
_DONT = "|".join(_ACTS.split())

RULES = table(
    (
        "a standing instruction",
        0.85,
        (
            rf"{_BARE}(?:always|never(?! ?mind|theless| change| gets?\b| got\b| had\b| did\b| was\b| worked))\b",
            r"\b(?:from (?:now|here) on|going forward|in (?:the )?future|at all times|under no circumstances"
            r"|no matter what|as a (?:general )?rule|next time|in this (?:project|repo|codebase|team)|around here)\b",
            r"^be (?:more |less |very )?(?:concise|brief|terse|explicit|honest|thorough|precise|consistent|direct"
            r"|verbose|strict)\b",
            r"\b(?:every ?time|each time|any ?time) (?:you|we|there)\b|\bwhenever (?:you|we|there)\b|(?:^|:"
            r" )whenever\b[^,]*, (?!it|the|i\b|there|my)\w+|^(?!it |that |this |i |the |they |still |same"
            r" )[^?]*[,;–—-] ?(?:every|each) (?:single )?time\b|\bwithout exception\b"
            r"|\b(?:that|this|it|same|which) (?:also )?(?:goes|applies|holds|is true) (?:for|to) (?:all|every|any"
            r"|each|future|other|everything)\b|\bby default,? (?:use|do|run|keep"
            r"|we)\b|\bfor all (?:future|new)\b",
            r"\b(?:immer|nie|niemals|künftig|grundsätzlich|ab (?:jetzt|sofort|nun)|in zukunft)\b|总是|永远"
            r"|以后|从现在|每次|必须|务必|不要再",
        ),
    ),
    (
        "a standing instruction",
        0.8,
        (
            r"^(?:you )?(?:must(?:n't)?|have to|need to) (?!know|understand|see|find|figure|get|ask)\w+|^(?:do|be"
            r"|keep) \w+ (?:at all times|throughout)\b",
            r"\b(?:must(?:n't| not)?|has to|have to) (?!be (?:the|an?|some|because|something|due)\b)(?:be|have|use"
            r"|stay|remain|work|run|pass|support|never|always"
            r"|not|keep|go|live|follow"
            r"|match|include|contain|start|end|fit|happen|come|return|only)\b",
            r"\byou (?:must|need to|have to|should|ought to) (?:always |first |also |really )?(?:read|check|run|use"
            r"|keep|ask|test|verify|follow"
            r"|look|write|make sure|stop|be|do|think|start|treat|add|update)\b",
            r"\b(?:muss|müssen|darf|dürfen)\b",
        ),
    ),
    (
        "a reminder to keep to",
        0.8,
        (
            r"\b(?:make sure|be sure (?:to|that|you)|ensure|(?:keep|bear) in mind|don't forget|dont forget"
            r"|do not forget|be careful|pay attention|stick to)\b",
            r"^remember\b|\b(?:please|also|always|and|to) remember\b|^(?:note|important|reminder)\b"
            r"|\bkeep to (?:the|our)\b",
            r"\b(?:denk dran|achte|vergiss nicht|stell sicher)\b|注意|记住|确保|别忘",
        ),
    ),
    (
        "a standing order not to",
        0.8,
        (
            rf"\b(?:don't|dont|do not) (?:ever |just |you |go |ever again )?(?:{_DONT})\b(?! (?:it|that|this|them)\b)",
            r"\bno (?:emojis?|comments?|mocks?|new (?:deps|dependenc\w+|files?|packages?)|any types?|hacks?"
            r"|shortcuts?|abbreviations|globals?)\b",
            r"\bneeds? my (?:approval|ok|permission|sign.?off|consent)\b|\b(?:ask|check with|tell|warn"
            r"|consult) me (?:first|before)\b|\bwithout (?:asking|my (?:ok|permission"
            r"|approval|consent)|tests)\b",
            r"^nothing (?:about|goes|gets|may|leaves)\b|^(?:no|keep) (?!errors?|warnings?|output|sign|trace|mention"
            r"|issues?|problems?)\S+(?: \S+)? (?:in|out"
            r" of|off|from) (?:\w+ ){0,2}(?:commits?"
            r"|messages?|prs?|logs?|tests?|code|comments|docs|main|master|production|prod)\b|\bdon't you dare\b"
            r"|\bdont you dare\b",
            r"\bavoid (?:using |adding |the |any |writing )?\w+",
        ),
    ),
    (
        "a preference",
        0.75,
        (
            r"\b(?:i|we)(?:'d| would)? (?:really |much |generally |usually |always |strongly )?(?:prefer|favou?r)\b"
            r"|\bi(?:'d| would) only\b",
            r"\b(?:i|we) (?:like|love) (?:it when|to (?:have|keep|see)|my |our |small|short|simple|clean)"
            r"|\bprefer \w+ (?:over|to|not)\b|^prefer\b",
            r"\bwe (?:use|always|usually|normally|typically|don't use|follow|stick)\b|\b(?:our|the) (?:convention"
            r"|style ?guide|policy|standard) (?:is|here)\b",
            r"\bmy preference\b|\bich bevorzuge\b|\bich mag (?:es|lieber)\b|我喜欢|我更喜欢",
        ),
    ),
    (
        "a standing instruction",
        0.7,
        (
            r"\b(?:before|after) (?:you |each |every |any )(?:commit|push|change|edit|merge|step|pr|time|run|deploy"
            r"|start|write|finish)\w*",
            r"^keep (?:it|things|the|all|your|commits|functions|everything|changes|this) (?:\w+ )?(?:simple|small"
            r"|short|minimal|consistent|clean|under|as)\b",
            r"\brun `?[^`]{2,60}`? to (?:verify|ensure|check|make sure|confirm|validate)|\bone (?:commit|pr|step"
            r"|thing) (?:per|at a time)\b",
            r"^(?:all|every|each) (?:\w+ ){1,3}(?:needs?|must|should|gets|has to|have to|requires?)\b|\b(?:one|a"
            r" single) (?!row|line|column|entry|record|request|user|item|value)\w+ per \w+",
            r"^(?:commit messages?|commits|comments|docstrings?|(?:variable|branch|file|test|function)? ?names"
            r"|branch(?:es)|tests|error messages?|errors|log messages?"
            r"|pr (?:titles?|descriptions?)|imports|types|constants|docs|migrations|secrets) (?:always |never )?(?:in"
            r"|are (?!failing|red|green|broken|missing|passing|flaky|done"
            r"|ok|fine|there|gone|still|not|now)|must|should|go|stay|without|need|get|belong|live|start|end|use)\b",
            r"\bfollow (?:the|our|existing|their)\b.*\b(?:patterns?|conventions?|styles?|guide\w*|approach"
            r"|structure)\b|\b(?:consistent with|same (?:style|pattern|way) as)\b",
            r"^(?:read|run|check|ask|test|verify|think|look) .*\bbefore (?:you\b|\w+ing\b)"
            r"|\bread (?:\S+ ){1,6}(?:in full|fully|completely)\b|\bonly (?:commit|push|change|edit|touch|use|run"
            r"|ask)\b",
        ),
    ),
)

_VERBS = (
    "add adjust analyse analyze answer append apply archive ask audit automate benchmark build bump bring bug chase"
    " email nag notify ping remind slack warn"
    " change check"
    " choose clean clear clone close code collapse combine comment commit compare compile complete configure"
    " confirm connect"
    " continue convert copy count cover create cut debug declare define delete deploy describe design"
    " detect diagnose"
    " disable display document double download draft drop dump edit enable ensure examine execute expand explain"
    " explore export"
    " expose extend extract fetch figure file fill find finish fix flatten flip follow force format gather generate"
    " get give go"
    " grep group handle help hide highlight implement import improve include increase initialize inline insert"
    " inspect install"
    " integrate introduce investigate isolate join keep kill leave limit link lint list load log look lower make"
    " map mark"
    " measure merge migrate mock modify mount move name note open optimise optimize organise organize output pass"
    " paste patch"
    " pick pin plan point polish pop port post prepare preserve print profile propose provide publish pull push put"
    " raise read"
    " rebase rebuild recheck record redo reduce refactor reference refresh regenerate register release reload"
    " remove rename"
    " render reorder reorganise reorganize repeat rephrase replace reply report reproduce rerun research reset"
    " resolve respond"
    " restart restore restructure resume rethink retry return reuse revert review rewrite run save scaffold scan"
    " schedule search"
    " select send separate set setup shorten show simplify skip solve sort spawn specify split squash start stash"
    " store stub"
    " style submit suggest summarise summarize support suppress swap switch sync tackle take tell test tidy toggle"
    " trace track"
    " transform translate trim trigger try tune turn undo unify uninstall update upgrade upload use validate verify"
    " view walk"
    " watch wire wrap write"
    " analysiere baue behebe benutze beschreibe entferne erkläre erstelle fixe führe füge implementiere leg lösche"
    " mach mache"
    " nimm nutze prüfe schau schreib schreibe starte such suche teste verschieb verwende zeig zeige ändere"
)
IMPERATIVE = re.compile(
    rf"^(?:{'|'.join(_VERBS.split())})\b(?!\s*(?:[(=|<>]|:|\.\w|(?:is|are|was|were|has|will|should|must|works?"
    rf"|fails?)\b))|^do (?:the|a|an|all|both|some|step|option|not"
    rf"|your|another|one|this|that)\b"
    r"|^(?:添加|修复|删除|创建|修改|检查|帮我|请|看看|运行|使用|用|把|写|加|改)"
)
REQUEST = re.compile(
    r"\b(?:(?:can|could|would|will) (?:you|u|we)|i (?:actually |really |just |also |basically )?(?:want|need"
    r"|would like|expect) you"
    r"|i'd (?:like|love)|i would (?:like|love)|help me|let's|lets|let us|please|pls|plz|we (?:need|have|want"
    r"|ought) to|we should"
    r"|you (?:should|can|could|may|might want)|how about|what about|what if we|go ahead and|your (?:task|job) is"
    r"|i need|i want"
    r"|(?:add|put|note) (?:it|this|that) (?:to|on|in) (?:the|a|an|my|our|your)|could be (?:refactored|improved"
    r"|nicer|cleaner|simplified)"
    r"|(?:happy for you to|feel free to|crack on|would you mind|do you mind|mind \w+ing|(?:this|that|it) needs?"
    r" (?:an?|some|more))|(?:someone|somebody) (?:should|needs to|has to|must)|would be (?:nice|good|great|cool"
    r"|helpful|lovely) (?:to|if)|still needs?"
    r"|needs? (?:to be )?(?:an? (?:entry|test|look|note|fix|update|comment|section)|some \w+|fixing|fixed|refactoring"
    r"|updating|updated|cleanup|cleaned|tests)|könntest du|kannst du"
    r"|können wir|lass uns|bitte)\b"
    r"|^(?:todo|to.do|next(?: up| step)?|fixme|action item|reminder)\s*[:–—-]|^and (?:the|what about|how about)"
    r" [^?]{2,40}\?|^(?:the )?(?:\w+ ){1,3}(?:is|are) (?:still )?missing[.!]*$"
    r"|^(?:do )?(?:the )?same (?:for|with|in|on|here)\b|^(?:any|are there|is there|anything|something"
    r"|what) (?:any )?(?:other|more|further|remaining|else)\b|帮我|能不能"
    r"|可以.{0,12}吗|请"
)
# Looking into something is work, not a choice.
LOOKING = (
    r"check|look|see|find|figure|test|verify|review|read|wait|discuss|talk|investigate|debug|understand|know|ask"
    r"|think|explore|analy[sz]e"
)
