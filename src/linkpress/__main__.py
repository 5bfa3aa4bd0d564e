"""This is ``python -m linkpress``, and the command itself: Ctrl-C ends it at any time without a traceback."""

from __future__ import annotations


def main() -> None:
    """Run linkpress; see ``cli.main``."""
    try:
        from linkpress.cli.main import main as run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
