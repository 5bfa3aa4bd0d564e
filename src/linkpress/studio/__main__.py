"""This is the studio without a terminal, as a double click on linkpress-studio starts it."""

from __future__ import annotations

import multiprocessing
import sys
from pathlib import Path

from linkpress.errors import LinkpressError
from linkpress.studio import JOB

_BOOKS = "linkpress books"


def main() -> None:
    """Open the studio on the folder that is given, else on one in the home folder; or run a job."""
    multiprocessing.freeze_support()  # its workers start this program again
    if sys.argv[1:2] == [JOB]:
        del sys.argv[1]
        from linkpress.studio.job import main as run_job

        run_job()
        return
    from linkpress.studio.run import run_studio

    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path.home() / _BOOKS
    print(f"Your books lie in {folder.resolve()}")
    print("The studio opens in your browser. Close this window to end it.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        run_studio(folder, folder / "output", 0, "", True, lambda address: print(address, flush=True))
    except (LinkpressError, OSError) as fault:
        sys.exit(str(fault))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
