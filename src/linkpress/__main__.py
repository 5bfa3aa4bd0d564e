"""Entry point of ``python -m linkpress`` and of the ``linkpress`` command."""

from __future__ import annotations

import gc


def main() -> None:
    """Run linkpress. Ctrl-C ends it without a traceback, even while its modules are loaded."""
    # Loading creates hundreds of thousands of objects that stay. Collecting garbage among them again and
    # again took a tenth of a build's processor time. With a threshold of 50,000, a check of 900 ms still
    # spent 45 ms on it.
    gc.set_threshold(200_000, 20, 20)
    try:
        from linkpress.cli.process import run_process
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run_process(_run)


def _run() -> object:
    from linkpress.cli.app import call_app

    return call_app()


if __name__ == "__main__":
    main()
