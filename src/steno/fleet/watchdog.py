"""The watchdog: a program of its own that looks whether Steno's daemon is alive, and shares nothing with it.

Run as `PYTHON -I -S watchdog.py HOME [--every S] [--stale S] [--alarm COMMAND] [--restart COMMAND]`. Standard library
only, no store, no lock, no socket: it reads one small file that the daemon rewrites, and asks the system about one
process. Whatever fails here is written to its log, and it looks again.

Time is the monotonic clock, which all processes of a machine share: setting the clock or a sleeping machine changes
nothing. A heartbeat from before the machine was started is as old as can be.
"""

import os
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from subprocess import Popen
    from typing import Any, NoReturn

# Files of a home.
HEARTBEAT = ".heartbeat"
OWN_BEAT = ".watchdog"
FLAG = "watchdog.flag"
LOG = "watchdog.log"

EVERY_SECONDS = 120.0
STALE_SECONDS = 90.0
# A daemon that missed one beat is looked at again as soon as it would be stale: so nothing takes longer than 150 s.
_LATE = 0.4
# After each restart that did not help we wait twice as long, an hour at most; an hour of health ends that.
_LONGEST_PAUSE = 3600.0
_CALM_SECONDS = 3600.0
_ALARM_SECONDS = 30.0
_MOST_LOG = 1 << 20


class Watchdog:
    """Looks, warns, restarts."""

    def __init__(self, home: str, every: float, stale: float, alarm: str, restart: str) -> None:
        self.home = home
        self.every = every
        self.stale = stale
        self.alarm = alarm
        self.restart = restart
        # What is wrong, since we know of it.
        self.trouble = ""
        self.tries = 0
        self.next_try = 0.0
        self.well_since: float | None = None
        self.started: list[Popen[bytes]] = []

    def look(self) -> float:
        """Look once, and do what is to be done; in how many seconds to look again."""
        now = time.monotonic()
        self._write(OWN_BEAT, f"{_clock()} {now:.3f} {os.getpid()}\n")
        self.started = [one for one in self.started if one.poll() is None]
        found = heartbeat(self.home)
        if found is None:
            # Nobody wants it to run: who stops it removes its heartbeat.
            self._well(now, "the daemon was stopped")
            return self.every
        trouble = what_is_wrong(found, now, self.stale)
        if trouble:
            self._ill(trouble, found, now)
            return self.every
        self._well(now, "the daemon works again")
        age = now - found["beat"]
        return min(self.every, self.stale - age + 0.1) if age > self.stale * _LATE else self.every

    def _well(self, now: float, words: str) -> None:
        self.well_since = self.well_since or now
        if self.trouble:
            self.trouble = ""
            self.say(words)
            _remove(f"{self.home}/{FLAG}")
        if now - self.well_since > _CALM_SECONDS:
            self.tries = 0

    def _ill(self, trouble: str, found: "dict[str, Any]", now: float) -> None:
        self.well_since = None
        if not self.trouble:
            self.say(trouble)
            self._write(FLAG, f"{_clock()} {trouble}\n")
            self._warn(f"Steno: {trouble}")
        self.trouble = trouble
        if self.restart and now >= self.next_try:
            self._restart(found, now)

    def _restart(self, found: "dict[str, Any]", now: float) -> None:
        """End what hangs, if it is still that process, and start another one."""
        pause = min(self.every * 2**self.tries, _LONGEST_PAUSE)
        self.tries, self.next_try = self.tries + 1, now + pause
        if process_of(found)[0]:
            self.say(f"ends process {found['pid']}")
            os.kill(found["pid"], 9)
        self.say(f"restarts it, try {self.tries}; the next one not before {pause:.0f} seconds")
        self._run(self.restart)

    def _warn(self, text: str) -> None:
        """On the desktop, where there is one, and by the user's own command."""
        if sys.platform == "darwin":
            told = text.replace("\\", "").replace('"', "'")
            self._run_words(["osascript", "-e", f'display notification "{told}"'])
        elif os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
            self._run_words(["notify-send", "Steno", text])
        if self.alarm:
            self._run(self.alarm, text)

    def _run(self, command: str, *more: str) -> None:
        import shlex

        try:
            self._run_words([*shlex.split(command), *more])
        except ValueError as error:
            self.say(f"{command!r} is no command line: {error}")

    def _run_words(self, words: "list[str]") -> None:
        """Start a program and do not wait for it: it may be the daemon, and it may hang."""
        import subprocess

        try:
            process = subprocess.Popen(  # noqa: S603
                words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/",
                start_new_session=True,
            )  # fmt: skip
        except (OSError, ValueError, IndexError) as error:
            self.say(f"cannot run {words[:1]}: {error}")
        else:
            self.started.append(process)

    def say(self, text: str) -> None:
        """A line in the log. A full disk is no reason to stop looking."""
        path = f"{self.home}/{LOG}"
        try:
            with open(path, "a", encoding="utf-8") as log:
                log.write(f"{_clock()} {text}\n")
            if os.path.getsize(path) > _MOST_LOG:
                os.replace(path, f"{path}.old")
        except OSError:
            pass

    def _write(self, name: str, text: str) -> None:
        path = f"{self.home}/{name}"
        try:
            with open(f"{path}.new", "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(f"{path}.new", path)
        except OSError as error:
            self.say(f"cannot write {path}: {error}")


def heartbeat(home: str) -> "dict[str, Any] | None":
    """What the daemon last wrote. None: nothing; what is no heartbeat is one without a process."""
    try:
        with open(f"{home}/{HEARTBEAT}", encoding="utf-8", errors="replace") as file:
            text = file.read(1000)
    except OSError:
        return None
    try:
        at, beat, pid, started = text.strip().split(" ", 3)
        return {"at": at, "beat": float(beat), "pid": int(pid), "started": started}
    except ValueError:
        return {"at": "", "beat": float("-inf"), "pid": 0, "started": ""}


def what_is_wrong(found: "dict[str, Any]", now: float, stale: float) -> str:
    """What is wrong with the daemon that left this heartbeat; nothing: it is well."""
    if not found["pid"]:
        return "its heartbeat cannot be read"
    lives, stopped = process_of(found)
    who = f"the daemon (process {found['pid']}, last heard of at {found['at']})"
    if not lives:
        return f"{who} is gone"
    if stopped:
        return f"{who} is frozen"
    return "" if 0 <= now - found["beat"] <= stale else f"{who} does not beat any more"


def process_of(found: "dict[str, Any]") -> "tuple[bool, bool]":
    """Whether the process of a heartbeat lives, being that very process, and whether it is stopped."""
    started, state = told_of(found["pid"])
    lives = bool(started) and started == found["started"] and not state.startswith("Z")
    return lives, lives and state[:1] in ("T", "t")


def told_of(pid: int) -> "tuple[str, str]":
    """When a process was started and how it is, as the system tells it; empty: there is none."""
    return _as_linux_tells(pid) if os.path.exists("/proc/self/stat") else _as_ps_tells(pid)


def _as_linux_tells(pid: int) -> "tuple[str, str]":
    # The name of the program stands in brackets and may hold anything; the 20th word after it is the time.
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            words = file.read().rpartition(")")[2].split()
        return words[19], words[0]
    except (OSError, IndexError):
        return "", ""


def _as_ps_tells(pid: int) -> "tuple[str, str]":
    import subprocess

    try:
        command = ["/bin/ps", "-o", "stat=,lstart=", "-p", str(pid)]
        told = subprocess.run(  # noqa: S603
            command, capture_output=True, timeout=_ALARM_SECONDS, check=False, env={"LC_ALL": "C"}
        )
        state, *started = told.stdout.decode("utf-8", "replace").split()
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return "", ""
    return " ".join(started), state


def _remove(path: str) -> None:
    try:  # noqa: SIM105 - one import less
        os.remove(path)
    except OSError:
        pass


def _clock() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def main(arguments: "list[str]") -> "NoReturn":
    given = {"--every": str(EVERY_SECONDS), "--stale": str(STALE_SECONDS), "--alarm": "", "--restart": ""}
    home, *options = arguments
    given.update(zip(options[::2], options[1::2], strict=True))
    dog = Watchdog(home, float(given["--every"]), float(given["--stale"]), given["--alarm"], given["--restart"])
    dog.say(f"looks every {dog.every:g} seconds as process {os.getpid()}")
    while True:
        try:
            pause = dog.look()
        except Exception as error:
            dog.say(f"{type(error).__name__}: {error}")
            pause = dog.every
        time.sleep(max(pause, 0.01))


if __name__ == "__main__":
    main(sys.argv[1:])
