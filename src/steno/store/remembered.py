"""What somebody tells us as an entry: its id, and what it is at first."""

import hashlib
from typing import Any

from steno.language.alike import BEHAVIOUR


def digest(*parts: str) -> str:
    """An id made of some words: the same in every store."""
    return hashlib.blake2b("\0".join(parts).encode(), digest_size=6).hexdigest()


def remembered_id(origin: str, category: str, project: str | None, agent: str | None, summary: str) -> str:
    """The id of what somebody tells us: the same words for another project or agent are another entry."""
    told = "remembered" if origin == "edit" else "learned"
    return digest(told, category, project or "", *((agent,) if agent else ()), summary)


def remembered_row(entry: str, value: dict[str, Any], at: str) -> dict[str, Any]:
    """The entry a record makes."""
    stands = '{"stance":{"reach":"standing"}}' if value["category"] in BEHAVIOUR else "{}"
    nothing = {"session_id": None, "work": None, "detail": stands, "subject": "[]"}
    sure = {"status": "active", "certainty": "confirmed", "confidence": 1.0, "origin": "edit"}
    told = {
        "domain": value.get("domain") or "GENERAL",
        "tags": '["human"]',
        "created_at": at,
        "cue": "a person told us",
    }
    match value.get("origin", "edit"):
        case "edit":
            pass
        case "file":
            sure |= {"confidence": 0.5, "origin": "file"}
            told |= {"tags": "[]", "cue": "a file or an import brought it"}
        case origin:
            # Words of an origin nobody has heard of are an agent's at most.
            sure |= {"confidence": 0.6, "origin": "assistant" if origin == "assistant" else "agent"}
            told |= {"tags": '["lesson"]', "cue": "an agent told us how it went"}
    said = {name: value.get(name) for name in ("summary", "category", "project", "agent")}
    return {"id": entry, **said, **nothing, **sure, **told}
