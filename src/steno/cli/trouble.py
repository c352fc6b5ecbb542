"""What went wrong, in words: what happened, on the next line what to do, and the exit code."""

import os
import sys

import click

_INTERRUPTED = 130
_LONGEST = 1000


def tell(error: BaseException) -> int:
    """Say what went wrong on standard error. Gives the exit code."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 1
    if isinstance(error, BrokenPipeError):
        _drop_output()
        return 0
    if isinstance(error, KeyboardInterrupt) or isinstance(error.__context__, KeyboardInterrupt):
        return _say("\nsteno: interrupted", code=_INTERRUPTED)
    if isinstance(error, click.Abort):
        return _say("\nsteno: nothing was done", code=1)
    if isinstance(error, click.exceptions.NoArgsIsHelpError):
        return _say(error.format_message(), code=error.exit_code)
    if isinstance(error, click.ClickException):
        # Click lists choices one below the other.
        return _complain(" ".join(error.format_message().split()), hint=_help_of(error), code=error.exit_code)
    return _complain_of(error)


def _complain_of(error: BaseException) -> int:
    from steno.vocabulary.errors import StenoError  # not above: it costs msgspec, and most runs go well

    if isinstance(error, StenoError):
        return _complain(error.message, hint=error.hint, code=error.exit_code)
    if isinstance(error, OSError) and error.strerror:
        _drop_output()
        return _complain(f"the system says no: {error}", hint="check the disk, the path and its rights", code=1)
    if os.environ.get("STENO_DEBUG", "") not in ("", "0"):
        import traceback

        traceback.print_exception(error)
    hint = "STENO_DEBUG=1 shows where it happened; please report it with that"
    return _complain(f"this is a bug in Steno: {type(error).__name__}: {error}", hint=hint, code=1)


def _complain(message: str, *, hint: str, code: int) -> int:
    if len(message) > _LONGEST:  # somebody typed a whole file
        message = f"{message[:_LONGEST]} …"
    return _say(f"steno: {message}" + (f"\n  → {hint}" if hint else ""), code=code)


def _say(text: str, *, code: int) -> int:
    from steno.cli.show import plain

    print(_broken(plain(text)) if sys.stderr.isatty() else plain(text), file=sys.stderr)
    return code


def _broken(text: str) -> str:
    """The same in lines that fit the terminal, broken between words."""
    import shutil
    import textwrap

    width = max(shutil.get_terminal_size().columns, 40)
    fitting = textwrap.TextWrapper(width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    return "\n".join(line if len(line) <= width else fitting.fill(line) for line in text.split("\n"))


def _help_of(error: click.ClickException) -> str:
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f"see `{context.command_path} --help`" if context else ""


def _drop_output() -> None:
    """Nobody reads on (`steno entries | head -1`), or the disk is full: the exit must not try to write the rest."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
