"""What every source is: a name, the places of its host, a way to recognise a transcript and to read it."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import msgspec

from steno.vocabulary import Batch, Problem, Read, Session, Transcript, Watermark

# Lines longer than this are passed over and counted as bad. The largest real line seen is 1.5 MB; a picture of the
# largest size hosts accept (5 MB) makes 6.7. A line of text costs ten times its size in memory until it is stored.
LINE_LIMIT = 8 << 20


class Source(Protocol):
    """One kind of place transcripts come from. Only ever reads."""

    name: str

    def places(self, environment: Mapping[str, str]) -> list[Path]:
        """Where this host keeps its transcripts on this machine."""

    def recognises(self, path: str, head: bytes) -> bool:
        """Whether a file with this path and these first bytes is one of ours."""

    def transcripts(self, path: str) -> list[Transcript]:
        """The transcripts in this file: one, or one per session of a database."""

    def read(self, transcript: Transcript, watermark: Watermark) -> Iterator[Batch]:
        """Everything after the watermark. A batch's watermark vouches for all turns up to and including the batch."""


class FileSource:
    """A source whose files are a transcript each."""

    name: str

    def transcripts(self, path: str) -> list[Transcript]:
        return [Transcript(self.name, path)]


@runtime_checkable
class FolderSource(Source, Protocol):
    """A source that knows by itself what in a folder is its own."""

    def within(self, folder: str) -> Iterator[Transcript | Problem]:
        """Its transcripts at or below a folder, and what is in the way."""


class BadLine(ValueError):
    """A well-formed line that lacks what its format demands. Counted, and its neighbours are kept."""


class Parser(Protocol):
    """Makes turns of one transcript's lines. Lives as long as the reading; `state` carries it to the next one."""

    @property
    def shape(self) -> type[msgspec.Struct]:
        """The fields of a line that are wanted. Everything else is skipped undecoded."""

    @property
    def bookkeeping(self) -> frozenset[str]:
        """Types of lines that give no turn on purpose. A line of another type that gives none is strange."""

    def turns(self, line: Any, number: int) -> list[Read] | None:
        """Turns of a decoded line. Empty: it only told of the session. None: not wanted. May raise BadLine."""

    @property
    def sessions(self) -> list[Session]:
        """Facts of the sessions met so far."""

    @property
    def state(self) -> dict[str, Any]:
        """What is needed to go on from here in another process. JSON values only."""

    @property
    def gaps(self) -> int:
        """Stretches the host's own numbering shows to be missing, since this parser began."""
