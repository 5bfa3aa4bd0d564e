"""The studio's speed and memory, as a window sees them.

Run: ``python tests/benchmarks/studio.py``. Builds a book of 200 puzzles and one of 1,000, opens the studio on
them, and asks the server what a window asks. Prints medians of several runs beside the aims: a first spread
1 s after the command, a change of looks on the page in view within 150 ms, three sample boards of a changed
level within 1 s, a page turned within 50 ms, and less than 400 MB for the server and its jobs. The browser's
own drawing, some 10 ms for a page, is not in these times.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlencode, urlsplit

RUNS = 9
SPEC = """\
title: Book of {count}
seed: 1
cover: yes
levels:
  - {{name: A, size: 6, paths: 4-6, grade: beginner, count: {half}}}
  - {{name: B, size: 7, paths: 5-7, grade: beginner, count: {half}}}
"""


class Window:
    """One window's requests, to the address that the studio printed, with its token."""

    def __init__(self, address, file):
        parts = urlsplit(address)
        self._connection = HTTPConnection(parts.hostname or "", parts.port)
        self._connection.request("GET", f"{parts.path}?{parts.query}")
        answer = self._connection.getresponse()
        answer.read()
        self._cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
        self.file = file

    def ask(self, name, **query):
        """Return the body of an answer."""
        return self._sent("GET", f"/api/{name}?{urlencode({'file': self.file, **query})}", None)

    def change(self, path, value):
        """Change a key, and return the version that the file has then."""
        sent = {"file": self.file, "kind": "set", "path": path, "value": value}
        return json.loads(self._sent("POST", "/api/change", json.dumps(sent)))["version"]

    def _sent(self, method, path, body):
        headers = {"cookie": self._cookie, "content-type": "application/json"}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        content = answer.read()
        assert answer.status == 200, content
        return content


def median_ms(task):
    """Return the median time of a task that is given the run's number."""
    times_s = []
    for run in range(RUNS):
        start_s = time.perf_counter()
        task(run)
        times_s.append(time.perf_counter() - start_s)
    return 1000 * statistics.median(times_s)


def memory_mb(process):
    """Return the resident memory of a process and all that it has started."""
    total_kb, waiting = 0, [process]
    while waiting:
        own = waiting.pop()
        status = Path(f"/proc/{own}/status").read_text()
        total_kb += next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        for task in Path(f"/proc/{own}/task").iterdir():
            waiting += map(int, (task / "children").read_text().split())
    return total_kb / 1024


def _open(folder):
    command = [sys.executable, "-m", "linkpress", "studio", str(folder), "--no-browser"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    return process, next(line for line in process.stderr if line.startswith("http")).strip()


def _measure(folder, count):
    file = f"book-{count}.yaml"
    start_s = time.perf_counter()
    process, address = _open(folder)
    try:
        window = Window(address, file)
        window.ask("book")
        pages = json.loads(window.ask("pages"))
        for number in (1, 2, 3):
            window.ask("drawing", what="page", number=number)
        print(f"{count} puzzles, {pages['count']} pages")
        print(f"  first spread      {1000 * (time.perf_counter() - start_s):6.0f} ms   aim 1000")

        def look(run):
            window.change(["theme", "grid", "outer_pt"], f"{1 + run / 10}")
            window.ask("pages")
            window.ask("drawing", what="page", number=40)

        def level(run):
            version = window.change(["levels", 1, "paths"], f"{4 + run % 2}-7")
            window.ask("samples", level=1, version=version)

        window.change(["theme"], "bold")
        print(f"  change of looks   {median_ms(look):6.0f} ms   aim 150")
        turned_ms = median_ms(lambda run: window.ask("drawing", what="page", number=20 + run))
        print(f"  page turned       {turned_ms:6.0f} ms   aim 50")
        print(f"  memory            {memory_mb(process.pid):6.0f} MB   aim 400")
        print(f"  three new boards  {median_ms(level):6.0f} ms   aim 1000")
    finally:
        process.terminate()
        process.wait()
        assert process.stderr is not None
        process.stderr.close()


def main():
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in (200, 1000):
            file = folder / f"book-{count}.yaml"
            file.write_text(SPEC.format(count=count, half=count // 2))
            command = ["build", str(file), "-o", str(folder / "output"), "--no-ledger"]
            subprocess.run(
                [sys.executable, "-m", "linkpress", *command], check=True, capture_output=True, env=os.environ
            )
            _measure(folder, count)


if __name__ == "__main__":
    main()
