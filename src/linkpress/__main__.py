"""This is ``python -m linkpress``, and the command itself: Ctrl-C ends it at any time without a traceback."""

from __future__ import annotations

import gc


def main() -> None:
    """Run linkpress; see ``cli.main``."""
    # Loading makes hundreds of thousands of objects that stay: to look through them again and again took
    # a tenth of a build's processor time, and with 50,000 here still 45 ms of a check's 900.
    gc.set_threshold(200_000, 20, 20)
    try:
        from linkpress.cli.main import main as run
    except KeyboardInterrupt:
        raise SystemExit(130) from None
    run()


if __name__ == "__main__":
    main()
