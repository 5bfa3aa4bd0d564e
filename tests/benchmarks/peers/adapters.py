"""What every peer is: where it lives, how it is found on this machine, and how a program of it is called.

Nothing of a peer is in this repository. A library is found by its import, a program or a checkout by
``--program NAME=PATH``; each is installed or built by the user, as its own documentation says.
"""

import importlib.util
import signal
import subprocess
from dataclasses import dataclass
from importlib.metadata import version

from linkpress.engine.kernels import WHY_PLAIN
from linkpress.version import __version__


class PeerError(Exception):
    """A peer answered with nothing that its documentation promises."""


@dataclass(frozen=True)
class Peer:
    """A public generator or solver.

    Args:
        name: as ``--program`` and ``--only`` want it.
        home: owner and name of its repository at GitHub; empty for this one.
        licence: as its home names it.
        release: the commit that the adapter was written for; a library says its version itself.
        program: which file or folder of the peer ``--program`` has to name.
        note: what a reader of the table must know.
        package: what ``pip install`` calls it, for a library; empty for a program.
        module: a library's import, or one that a checkout needs beside it.
    """

    name: str
    home: str
    licence: str
    release: str = ""
    program: str = ""
    note: str = ""
    package: str = ""
    module: str = ""

    @property
    def address(self):
        """Where it is."""
        return f"https://github.com/{self.home}" if self.home else "this repository"

    def missing(self, path):
        """What the user has to do before this peer can run; empty where it can."""
        home = f"{self.name} ({self.licence}, {self.address})"
        if self.program and path is None:
            return f"{home}: give --program {self.name}=PATH, {self.program}"
        if self.module and not _is_there(self.module):
            return f"{home}: pip install {self.package}"
        return ""

    @property
    def shown_release(self):
        """The version of what is installed, or the commit that a program should be of."""
        return self.release or version(self.package)


def _is_there(module):
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:  # the package above it
        return False


LINKPRESS = Peer("linkpress", "", "MIT", __version__, note=WHY_PLAIN)
THOMASAHLE = Peer(
    "thomasahle", "thomasahle/numberlink", "AGPL 3.0", "ba9d670", "its program `numberlink` (Go)",
    "finds one drawing and stops; makes fillings of any number of pairs",
)  # fmt: skip


def output(command, given=""):
    """What a program prints, on either stream; the limit of processor time raises ``TimeoutError``."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, input=given, text=True, errors="replace", **streams)
    if -done.returncode in (signal.SIGXCPU, signal.SIGKILL):
        raise TimeoutError
    if done.returncode < 0:
        raise PeerError(f"ended by signal {-done.returncode}")
    return done.stdout


def records(command):
    """What a program prints, cut at its blank lines, as it comes; the limit of time ends it, too."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        lines = []
        for line in program.stdout or ():
            if line.strip():
                lines.append(line)
            elif lines:
                yield "".join(lines)
                lines = []
