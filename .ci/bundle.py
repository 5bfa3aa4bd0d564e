"""Builds linkpress-studio, a folder that starts by a double click, and tries it.

Run: ``python .ci/bundle.py [OUT]``. It needs the extra ``bundle``. What is tried is the program as a
publisher has it, without Python: the page is opened, a first book is written from six answers, and
it is built.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from linkpress.resources import resource
from linkpress.studio import __main__ as program

NAME = "linkpress-studio"
MINUTES = 5


def bundle(out: Path) -> Path:
    """Build the folder; return its program."""
    import PyInstaller.__main__

    source = Path(program.__file__)
    data = [
        f"{resource(*parts)}{os.pathsep}linkpress/data/{'/'.join(parts)}" for parts in (["config"], ["fonts"])
    ]
    data.append(f"{resource('docs', 'pictures')}{os.pathsep}linkpress/data/docs/pictures")
    with tempfile.TemporaryDirectory() as work:
        entry = Path(work) / "linkpress_studio.py"
        shutil.copy(source, entry)
        PyInstaller.__main__.run(
            [
                str(entry), f"--name={NAME}", "--onedir", "--noconfirm", "--console", "--log-level=WARN",
                f"--distpath={out}", f"--workpath={work}", f"--specpath={work}",
                "--collect-all=linkpress", "--collect-submodules=uvicorn",
                *(f"--add-data={pair}" for pair in data),
            ]
        )  # fmt: skip
    return out / NAME / (NAME + ".exe" * (sys.platform == "win32"))


def smoke_test(made: Path) -> None:
    """Open the studio as its user does, write a first book, and build it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        free = {**os.environ, "BROWSER": "true", "LINKPRESS_LEDGER": str(folder / "ledger.db")}
        process = subprocess.Popen([made, str(folder)], stdout=subprocess.PIPE, text=True, env=free)
        try:
            assert process.stdout is not None
            address = next(line for line in process.stdout if line.startswith("http")).strip()
            opener, root = urllib.request.build_opener(), address.partition("#")[0]

            def send(what: str, **content: object) -> None:
                body, headers = json.dumps(content).encode(), {"content-type": "application/json"}
                opener.open(urllib.request.Request(f"{root}api/{what}", body, headers)).read()

            guide = json.loads(opener.open(f"{root}api/shelf").read())["guide"]
            send("new", title="Smoke", answers={question: choices[0] for question, choices in guide.items()})
            send("build", file="smoke.yaml")
            interior = folder / "output" / "smoke" / "interior.pdf"
            end_s = time.monotonic() + 60 * MINUTES
            while not interior.is_file():
                if time.monotonic() > end_s or process.poll() is not None:
                    sys.exit(f"{made}: the book was not built")
                time.sleep(0.5)
            print(f"{made}: built {interior.stat().st_size} bytes of a book")
        finally:
            process.terminate()
            process.wait()


if __name__ == "__main__":
    smoke_test(bundle(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve()))
