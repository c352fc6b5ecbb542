"""The store proves itself: what no query in daily use would notice."""

from collections.abc import Callable

from steno.store.database import Tables
from steno.vocabulary import Check
from steno.vocabulary.errors import StoreDamaged, StoreError

_MOST_NAMED = 20
# Whether it holds, and what was found.
_Proof = tuple[bool, str]


class Proofs(Tables):
    """The checks behind `steno store doctor`. Read-only but for a message to the full-text index."""

    def all(self) -> list[Check]:
        """Every proof, whether or not an earlier one failed."""
        proofs = {
            "integrity": self._integrity,
            "references": self._references,
            "full-text index": self._full_text,
            "watermarks": self._watermarks,
            "evidence": self._evidence,
            "authority": self._authority,
        }
        return [_proven(name, prove) for name, prove in proofs.items()]

    def _integrity(self) -> _Proof:
        """Pages and indexes are as they should be."""
        found = [str(row[0]) for row in self._database.rows("integrity")]
        return found == ["ok"], "; ".join(found)

    def _references(self) -> _Proof:
        """Every turn has its session."""
        found = self._database.rows("foreign_keys")
        return not found, f"{len(found)} rows point to nothing" if found else "ok"

    def _full_text(self) -> _Proof:
        """Every word of the journal is in the index, and nothing else: a lost update here is silent everywhere else."""
        try:
            with self._database.write():
                self._database.rows("check_full_text")
                self._database.rows("check_entries_text")
        except StoreError as error:
            return False, error.message
        return True, "agrees with the journal"

    def _watermarks(self) -> _Proof:
        """Every turn a watermark vouches for is there or was forgotten: the bug that loses turns for good."""
        found = self._database.rows("unvouched")
        detail = "; ".join(f"{name}: {stored} vouched for, {there} found" for name, stored, there in found[:5])
        return not found, detail or "agree with the turns"

    def _evidence(self) -> _Proof:
        """Every entry rests on words that stand in the journal as they are quoted."""
        found = [str(row[0]) for row in self._database.rows("unfounded")]
        return not found, f"no such words in the journal: {', '.join(found[:5])}" if found else "every quote was said"

    def _authority(self) -> _Proof:
        """Whoever rules is known, and is a person: what wrote into the store past us stands here."""
        missing = [str(row[0]) for row in self._database.rows("unvouched_acts")]
        doubtful = [str(row[0]) for row in self._database.rows("doubtful_acts")]
        found = [*(f"no act for {one}" for one in missing), *(f"perhaps an agent's: {one}" for one in doubtful)]
        return not found, "; ".join(found[:_MOST_NAMED]) if found else "every rule and refusal has a person behind it"


def _proven(name: str, prove: Callable[[], _Proof]) -> Check:
    try:
        ok, detail = prove()
    except StoreDamaged as error:
        ok, detail = False, error.message
    return Check(name=name, ok=ok, detail=detail)
