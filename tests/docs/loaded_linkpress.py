"""The command ``linkpress`` in processes that have it loaded: starting takes half of most commands' time.

The standard library's fork server loads it once, and makes a fork of itself for each command. What a shell is
needed for is left to one, and all of it where there is no fork server.
"""

import multiprocessing
import os
import shlex
import sys

from linkpress.__main__ import main
from linkpress.production import forecast

_MEANT_FOR_A_SHELL = set("|&;<>()$`*?~")
# What takes longest to load, and what tells a fork who runs it.
_LOADED = ["pytest", "linkpress.cli.app"]
_APP = ("build", "doctor", "marketing", "preview", "puzzles", "series")
_LOADED += [f"linkpress.app.{name}" for name in _APP]


def commands_of(script):
    """Return the words of each command; None where they are more than ``linkpress`` and its words."""
    lines = script.replace("\\\n", " ").splitlines()
    commands = [words for line in lines if (words := shlex.split(line, comments=True))]
    are_plain = all(not _MEANT_FOR_A_SHELL.intersection(line) for line in lines)
    are_ours = all(command[0] == "linkpress" for command in commands)
    known = "forkserver" in multiprocessing.get_all_start_methods()
    return commands if known and are_plain and are_ours else None


def run_all(commands, folder, environment):
    """Run commands until one fails; return the last one's exit code, and what they wrote on both streams."""
    output, code = folder / ".output", 0
    output.write_text("")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_LOADED)
    for command in commands:
        process = context.Process(target=_run, args=(command[1:], folder, dict(environment), output))
        process.start()
        process.join()
        code = process.exitcode or 0
        if code:
            break
    return code, output.read_text(encoding="utf-8")


def _run(words, folder, environment, output):
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    for number, name in enumerate((os.devnull, output, output)):
        os.dup2(os.open(name, os.O_RDWR | os.O_APPEND), number)
    sys.argv = ["linkpress", *words]
    forecast.TRIAL_WORK //= 10  # of large boards, of which a tenth shows as much
    main()
