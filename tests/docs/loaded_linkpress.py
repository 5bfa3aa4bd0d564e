"""Run the shell and Python blocks of the docs in processes that have linkpress loaded.

Loading linkpress takes more time than most of the docs' commands. So the standard library's fork server loads
it once, and each command is a fork of it. Blocks that use a shell's features are run by a shell.
"""

import multiprocessing
import os
import shlex
import sys

from linkpress.__main__ import main
from linkpress.production import forecast

_NEEDS_SHELL = set("|&;<>()$`*?~")
_LOADED = ["pytest", "linkpress.cli.app", "linkpress.feeds.feed_run", "linkpress.verify"]
_LOADED += [
    f"linkpress.app.{name}" for name in ("build", "doctor", "marketing", "preview", "puzzles", "series")
]
_LOADED += [f"linkpress.cli.{name}_commands" for name in ("book", "newspaper", "puzzle", "ledger")]


def has_fork_server():
    return "forkserver" in multiprocessing.get_all_start_methods()


def commands_of(script):
    """Return the words of each command, or None if the script needs a shell or another program."""
    lines = script.replace("\\\n", " ").splitlines()
    commands = [words for line in lines if (words := shlex.split(line, comments=True))]
    are_plain = all(not _NEEDS_SHELL.intersection(line) for line in lines)
    are_ours = all(command[0] == "linkpress" for command in commands)
    return commands if has_fork_server() and are_plain and are_ours else None


def run_all(commands, folder, environment):
    """Run commands until one fails; return its exit code, and what all of them printed."""
    output, code = folder / ".output", 0
    output.write_text("")
    for command in commands:
        code = _run_fork(_run_command, command[1:], folder, environment)
        if code:
            break
    return code, output.read_text(encoding="utf-8")


def run_python(text, folder, environment):
    """Run a Python script; return its exit code and what it printed."""
    (folder / ".output").write_text("")
    code = _run_fork(_run_script, text, folder, environment)
    return code, (folder / ".output").read_text(encoding="utf-8")


def _run_fork(target, work, folder, environment):
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_LOADED)
    process = context.Process(target=target, args=(work, folder, dict(environment)))
    process.start()
    process.join()
    return process.exitcode or 0


def _run_command(words, folder, environment):
    _prepare(folder, environment)
    sys.argv = ["linkpress", *words]
    forecast.TRIAL_WORK //= 10  # a tenth of the trial of large boards shows as much
    main()


def _run_script(text, folder, environment):
    _prepare(folder, environment)
    exec(compile(text, "example", "exec"), {"__name__": "__main__"})


def _prepare(folder, environment):
    """Give the process the folder, environment and output of a command."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    # A command starts its workers as forks. The fork server has set its own start method, which is slow.
    multiprocessing.set_start_method(None, force=True)
    for number, name in enumerate((os.devnull, folder / ".output", folder / ".output")):
        os.dup2(os.open(name, os.O_RDWR | os.O_APPEND), number)
