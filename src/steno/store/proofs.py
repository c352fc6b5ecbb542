"""The store proves itself: what no query in daily use would notice."""

from steno.store.database import Database
from steno.vocabulary import Check
from steno.vocabulary.errors import StoreDamaged, StoreError


class Proofs:
    """The checks behind `steno doctor`. Read-only but for a message to the full-text index."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> list[Check]:
        """Every proof, whether or not an earlier one failed."""
        return [self.integrity(), self.references(), self.full_text(), self.watermarks(), self.evidence()]

    def integrity(self) -> Check:
        """Pages and indexes are as they should be."""
        try:
            found = [str(row[0]) for row in self._database.rows("integrity")]
        except StoreDamaged as error:
            found = [error.message]
        return Check(name="integrity", ok=found == ["ok"], detail="; ".join(found))

    def references(self) -> Check:
        """Every turn has its session."""
        try:
            found = self._database.rows("foreign_keys")
        except StoreDamaged as error:
            return Check(name="references", ok=False, detail=error.message)
        return Check(name="references", ok=not found, detail=f"{len(found)} rows point to nothing" if found else "ok")

    def full_text(self) -> Check:
        """Every word of the journal is in the index, and nothing else: a lost update here is silent everywhere else."""
        try:
            with self._database.write():
                self._database.rows("check_full_text")
                self._database.rows("check_entries_text")
        except StoreError as error:
            return Check(name="full-text index", ok=False, detail=error.message)
        return Check(name="full-text index", ok=True, detail="agrees with the journal")

    def watermarks(self) -> Check:
        """Every turn a watermark vouches for is there or was forgotten: the bug that loses turns for good."""
        try:
            found = self._database.rows("unvouched")
        except StoreDamaged as error:
            return Check(name="watermarks", ok=False, detail=error.message)
        detail = "; ".join(f"{name}: {stored} vouched for, {there} found" for name, stored, there in found[:5])
        return Check(name="watermarks", ok=not found, detail=detail or "agree with the turns")

    def evidence(self) -> Check:
        """Every entry rests on words that stand in the journal as they are quoted."""
        try:
            found = [str(row[0]) for row in self._database.rows("unfounded")]
        except StoreDamaged as error:
            return Check(name="evidence", ok=False, detail=error.message)
        detail = f"no such words in the journal: {', '.join(found[:5])}" if found else "every quote was said"
        return Check(name="evidence", ok=not found, detail=detail)
