import subprocess
import sys
from pathlib import Path

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
