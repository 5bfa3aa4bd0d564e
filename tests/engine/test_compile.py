import subprocess
import sys
import time
from pathlib import Path

import pytest

from linkpress.engine.kernels import compile as compiling
from linkpress.engine.kernels.compile import warm_kernels


def test_warm_kernels_are_not_compiled_again() -> None:
    said: list[str] = []
    warm_kernels()
    assert not warm_kernels(lambda: said.append("compiling"))
    assert said == []


def test_the_first_compilation_is_announced_once(tmp_path: Path) -> None:
    script = (
        "from linkpress.engine.kernels.dice import below\n"
        "from linkpress.engine.kernels import compile as c\n"
        "c.pkgutil.iter_modules = lambda path: []\n"
        "c._cores = lambda: 1\n"
        "said = []\n"
        "print(c.warm_kernels(lambda: said.append(1)), len(said))"
    )
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PATH": "/usr/bin:/bin"}
    run = [sys.executable, "-c", script]
    first = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    again = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert (first.stdout.strip(), again.stdout.strip()) == ("True 1", "False 0")


def test_a_kernels_cache_moves_when_a_kernel_below_it_changes(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(compiling, "_FOLDER", tmp_path)
    above, below = tmp_path / "above.py", tmp_path / "below.py"
    above.write_text(f"from {compiling._PACKAGE}.below import (\n    roll,\n)\n")
    below.write_text("A = 1\n")
    before = compiling._signature.__wrapped__(above)
    below.write_text("A = 2\n")
    assert compiling._signature.__wrapped__(above) != before


def test_the_proof_module_loads_without_the_engine() -> None:
    script = "import sys, linkpress.engine.proof as p; print('numba' in sys.modules, 'pysat' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False False"


BESIDE = """
import sys
from linkpress.engine.kernels import compile as c
c._SCRIPT = c._SCRIPT.partition("import linkpress")[0] + "import time; time.sleep(600)"
c._cores = lambda: 2
beside = c._Beside()
beside.start()
print(beside._process.pid, flush=True)
if sys.argv[1] == "ended":
    beside.end()
else:
    sys.stdin.read()
"""


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes as in Linux")
@pytest.mark.parametrize("how", ["ended", "killed"])
def test_the_process_that_compiles_beside_this_one_ends_with_it(how: str) -> None:
    run = [sys.executable, "-c", BESIDE, how]
    parent = subprocess.Popen(run, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    process = Path("/proc", parent.stdout.readline().strip(), "stat")
    if how == "killed":
        parent.kill()
    parent.communicate()
    while process.exists() and process.read_text().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.01)  # within the test's own limit of time
    assert parent.returncode == (-9 if how == "killed" else 0)
