"""Everything that can go wrong, as one tree. Each error says what happened, what it means and what to do next."""


class StenoError(Exception):
    """Root of the tree. `hint` is the next step for the user, `retry` says whether the same call may work later."""

    exit_code = 1
    retry = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class WrongUse(StenoError):
    """The call itself is off; repeating it changes nothing."""

    exit_code = 2


class NotTheirs(WrongUse):
    """An agent asked for what belongs to another project or agent, or to a person."""


class WaitsForPerson(NotTheirs):
    """An agent asked for what only a person may do. It is done once a person says yes."""

    exit_code = 1


class AlreadyDone(StenoError):
    """An agent asks again for what a person allowed, and Steno did."""

    exit_code = 0


class UnknownSource(WrongUse):
    """A source name nobody knows."""


class Unknown(StenoError):
    """What was named is not there."""


class UnknownProject(WrongUse, Unknown):
    """A project nobody worked in."""


class UnknownSession(Unknown):
    """A session that is not in the journal."""


class UnknownTurn(Unknown):
    """A turn that is not in the journal, or not any more."""


class UnknownEntry(Unknown):
    """An entry or review that is not there."""


class UnknownReceipt(Unknown):
    """An answer of the gate that was not kept."""


class UnknownPage(Unknown):
    """A page that is not in the notebook, or cannot be read."""


class UnknownWork(Unknown):
    """A piece of work that is not there."""


class UnknownRun(Unknown):
    """A run of upkeep, or a job, that is not there."""


class UnknownMessage(UnknownEntry):
    """A message nobody sent."""


class UnknownAgent(UnknownEntry):
    """An agent nobody met."""


class UnknownCapability(UnknownEntry):
    """Something nobody is known to be able to do."""


class UnknownBridge(UnknownEntry):
    """A bridge nobody declared."""


class UnknownWatch(UnknownEntry):
    """A path nobody watches."""


class UnknownFlow(Unknown):
    """A flow nobody made."""


class BadSetting(WrongUse):
    """A setting that does not exist, or a value it cannot take."""


class Unreadable(StenoError):
    """A transcript that cannot be opened or read now."""

    retry = True


class Busy(Unreadable):
    """A database that somebody else keeps locked."""


class StoreError(StenoError):
    """The store cannot do what was asked."""


class UpkeepBusy(StenoError):
    """Another process runs the jobs of this home."""

    retry = True


class StoreBusy(StoreError):
    """Another process holds the store's write lock."""

    retry = True


class StoreFull(StoreError):
    """No room left on the disk."""

    retry = True


class StoreReadOnly(StoreError):
    """The store's file or folder may not be written."""


class StoreDamaged(StoreError):
    """The store's file is not a sound database. It is never deleted on suspicion."""


class StoreLost(StoreError):
    """A home that was in use has no store any more. None is made in its place."""


class StoreTooNew(StoreError):
    """The store was written by a newer Steno."""


class Overtaken(StoreError):
    """Another reader moved this watermark meanwhile; read it again and go on from there."""

    retry = True


class NoEmbedding(StenoError):
    """No model to turn text into vectors with."""


class NoModel(StenoError):
    """No model may be asked now: none is configured, the budget is spent, it is not the hour, or it is down."""

    retry = True


class ModelFailed(StenoError):
    """A model was asked and did not answer, or not with what can be read. Nothing was learnt from it."""

    retry = True

    def __init__(self, message: str, *, hint: str = "", may_have_cost: bool = True) -> None:
        super().__init__(message, hint=hint)
        # Whether somebody may charge for it: an answer that came too late was written all the same.
        self.may_have_cost = may_have_cost


class ModelStopped(ModelFailed):
    """Nobody waited for the answer: we were told to stop."""
