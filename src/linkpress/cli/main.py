"""The entry point: runs a command and turns what it raises into a message and an exit code."""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

import typer

from linkpress.cli.streams import drop_output
from linkpress.errors import ExitCode, LinkpressError, SpecError

# Typer keeps the root of its usage errors in a private module; this is its public way in.
_TyperUsageError: type[Exception] = typer.BadParameter.__bases__[0]


def main(arguments: Sequence[str] | None = None) -> None:
    """Run linkpress and leave the process with a documented exit code.

    Args:
        arguments: the words after ``linkpress``; the process's own by default.
    """
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command; as ``main``, but returns the exit code."""
    from linkpress.cli.app import app

    if sys.stderr is None:
        # print(file=None) would put diagnostics among the results.
        sys.stderr = io.StringIO()
    try:
        code = app(args=arguments, prog_name="linkpress", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except SpecError as fault:
        # Each of its lines begins with file, line and column, as editors and people look for it.
        print(fault, file=sys.stderr)
        return fault.exit_code
    except LinkpressError as fault:
        return _complain(str(fault), fault.exit_code)
    except _TyperUsageError as fault:
        return _complain(_usage(fault), ExitCode.USAGE)
    except (BrokenPipeError, SystemExit):
        # The reader of our output has left (``| head``): nothing to say, and nobody to hear it.
        # Typer answers a broken pipe with SystemExit, and nothing else with that.
        drop_output()
        return ExitCode.OK
    except OSError as fault:
        drop_output()
        return _complain(f"{fault.filename or 'standard output'}: {fault.strerror or fault}", ExitCode.OUTPUT)
    return int(code) if isinstance(code, int) else ExitCode.OK


def _usage(fault: Exception) -> str:
    message: str = getattr(fault, "format_message", fault.__str__)()
    message = message.replace(": Value error, ", ": ").strip() or "Missing command."
    if message[-1] not in ".?!":
        message += "."
    context = getattr(fault, "ctx", None)
    command = context.command_path if context is not None else "linkpress"
    return f"{message} Try '{command} --help'."


def _complain(message: str, code: ExitCode) -> int:
    print(f"linkpress: {message}", file=sys.stderr)
    return code
