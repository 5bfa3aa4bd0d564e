"""A process leaves facts about itself in the ledger, so that others can tell whether its build goes on."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path

BEAT_S = 30.0
LEASE_S = 300.0  # ten missed beats


@dataclass(frozen=True, slots=True)
class Liveness:
    """The facts about a process by which others can tell whether it lives.

    Args:
        token: different for each build, so that one process can do several.
        host: the machine's name.
        pid: process number on that machine.
        started: when that process started, as the system tells it; empty where it does not.
    """

    token: str
    host: str
    pid: int
    started: str

    def lives(self, age_s: float) -> bool:
        """Return whether that process still runs.

        On this machine the system knows, where it tells start times (Linux). Elsewhere a sign of
        life within ``LEASE_S`` counts; one from the future, after the clock was set back, within
        the same span only.

        Args:
            age_s: time since its last sign of life.
        """
        if self.host == socket.gethostname() and self.started and _started(os.getpid()):
            return _started(self.pid) == self.started
        return abs(age_s) < LEASE_S


def own_liveness() -> Liveness:
    """Describe this process for one build."""
    pid = os.getpid()
    return Liveness(secrets.token_hex(8), socket.gethostname(), pid, _started(pid))


def _started(pid: int) -> str:
    """Return the boot and the process's start in ticks; "" where there is no /proc or no such process."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        after_name = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return ""
    state, ticks = after_name[0], after_name[19]
    return "" if state in (b"Z", b"X") else f"{boot}/{int(ticks)}"
