"""Work in a process of its own, under a limit of processor time and of memory, and what it took."""

import gc
import os
import resource
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from multiprocessing.connection import Pipe
from pathlib import Path
from tempfile import TemporaryDirectory

# A process that sleeps uses no processor time; it may take so many times the limit, and a minute.
PATIENCE = 20
_ADDRESSES = 6000 << 20  # bytes


class Ending(StrEnum):
    """How the work ended."""

    DONE = "done"
    LIMIT = "limit"
    FAILED = "failed"


@dataclass(frozen=True)
class Limits:
    """For one piece of work: whole seconds of processor time."""

    seconds: int


@dataclass(frozen=True)
class Outcome:
    """What the work handed over before it ended, ``at`` what processor seconds, and those spent in all."""

    items: list[object]
    at: list[float]
    seconds: float
    ending: Ending
    fault: str = ""


def spent():
    """Processor seconds of this process, of its children that have ended and, on Linux, of the others."""
    both = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    seconds = sum(usage.ru_utime + usage.ru_stime for usage in both)
    children = Path(f"/proc/self/task/{os.getpid()}/children")
    for child in children.read_text().split() if children.exists() else ():
        with suppress(OSError):  # it has just ended
            seconds += time.clock_gettime(~int(child) << 3 | 2)  # its clock, as clock_getcpuclockid(3) has it
    return seconds


def run(work, limits):
    """Do the work in a fork of this process: what is imported here is there, and costs nothing again."""
    gc.freeze()  # a collection in the fork would touch, and so copy, every page
    receiving, sending = Pipe(duplex=False)
    items = []
    at = []
    end = None
    with TemporaryDirectory() as folder, receiving:
        child = os.fork()
        if child == 0:
            receiving.close()
            _be_child(work, limits, sending, folder)
        sending.close()
        with suppress(EOFError, OSError):  # killed between two messages, or within one
            while end is None and receiving.poll(60 + PATIENCE * limits.seconds):
                kind, value = receiving.recv()
                if kind == "item":
                    items.append(value[0])
                    at.append(value[1])
                else:
                    end = value
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)  # and with it every program that it started
        _, _, usage = os.wait4(child, 0)
    if end is not None:
        ending, seconds, fault = end
        return Outcome(items, at, seconds, ending, fault)
    return Outcome(items, at, max(limits.seconds, usage.ru_utime + usage.ru_stime), Ending.LIMIT)


def _be_child(work, limits, sending, folder):
    """The fork's whole life; it never returns."""
    os.setpgid(0, 0)
    os.chdir(folder)  # some programs leave files where they are
    # Some programs live through the first signal; the second, a second later, kills.
    resource.setrlimit(resource.RLIMIT_CPU, (limits.seconds, limits.seconds + 1))
    resource.setrlimit(resource.RLIMIT_AS, (_ADDRESSES, _ADDRESSES))
    null = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(null, stream)
    before = spent()
    end = (Ending.DONE, "")
    try:
        for item in work():
            seconds = spent() - before
            sending.send(("item", (item, seconds)))
            if seconds > limits.seconds:
                end = (Ending.LIMIT, "")
                break
    except TimeoutError:
        end = (Ending.LIMIT, "")
    except BaseException as fault:  # a peer may fail in any way, and that is a result
        end = (Ending.FAILED, f"{type(fault).__name__}: {fault}"[:200])
    sending.send(("end", (end[0], spent() - before, end[1])))
    os._exit(0)
