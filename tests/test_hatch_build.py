"""The build hook: what it needs, what it says where something is missing, and what it compiles."""

import importlib.util
import shlex
import shutil
import sysconfig
from pathlib import Path

import pytest

from linkpress.engine import kernels

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def hook():
    """The module ``hatch_build``, which stands at the top level of a checkout."""
    found = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def needed_by(hook):
    return hook.CompileKernels(str(ROOT), {}, None, None, "", "wheel").dependencies()


def test_only_a_release_links_to_its_repository(hook, monkeypatch):
    metadata = {"version": "1.2.3"}
    monkeypatch.delenv("LINKPRESS_ADDRESS", raising=False)
    hook.AddressOfRepository(str(ROOT), {}).update(metadata)
    assert "urls" not in metadata
    monkeypatch.setenv("LINKPRESS_ADDRESS", "https://example.com/linkpress")
    hook.AddressOfRepository(str(ROOT), {}).update(metadata)
    assert metadata["urls"]["Changelog"] == "https://example.com/linkpress/blob/v1.2.3/CHANGELOG.md"
    assert all((ROOT / url.partition("v1.2.3/")[2]).exists() for url in metadata["urls"].values())


def test_a_compiler_is_asked_of_pip_only_where_there_is_none(hook, monkeypatch, tmp_path):
    monkeypatch.delenv("LINKPRESS_BUILD", raising=False)
    compiler = tmp_path / "with blanks" / "cc"
    compiler.parent.mkdir()
    compiler.touch(mode=0o755)
    monkeypatch.setenv("CC", shlex.join([str(compiler), "-O2"]))
    assert needed_by(hook) == []
    monkeypatch.setenv("CC", shlex.quote(str(compiler.with_name("none"))))
    (need,) = needed_by(hook)
    assert need.startswith("ziglang>=")
    monkeypatch.setenv("LINKPRESS_BUILD", "plain")
    assert needed_by(hook) == []


def test_without_any_compiler_that_is_said(hook, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("CC", "cc")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match="there is no C compiler, nor the ziglang package"):
        hook.compile_kernels(ROOT)


def test_without_headers_that_is_said(hook, monkeypatch, tmp_path):
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    with pytest.raises(RuntimeError, match=r"headers are missing .*python3-dev"):
        hook.compile_kernels(ROOT)


def test_a_wish_that_does_not_exist_is_refused(hook, monkeypatch):
    monkeypatch.setenv("LINKPRESS_BUILD", "quick")
    with pytest.raises(ValueError, match="LINKPRESS_BUILD=quick: compiled or plain is allowed"):
        needed_by(hook)


def test_the_hook_and_the_loader_agree_on_the_sources(hook):
    assert hook.sources_hash(ROOT) == kernels.sources_hash()
    names = {path.name for path in hook.kernel_sources(ROOT)}
    assert {"_compiled.pyx", "pure_python.py", "climb.py"} <= names


def test_the_unit_is_written_line_by_line_in_the_words_of_c(hook, tmp_path):
    folder = tmp_path / hook.KERNELS
    (folder / "ladder").mkdir(parents=True)
    shutil.copy(ROOT / hook.KERNELS / "glossary.py", folder)
    shutil.copy(ROOT / hook.KERNELS / hook.UNIT, folder)
    lines = [
        "from typing import Self",
        "from linkpress.engine.kernels.glossary import EdgeState",
        "from linkpress.engine.kernels.pure_python import (",
        "    State,",
        ")",
        "LONGEST: int = 3  # cells",
        "",
        "",
        "class Board(State):",
        '    way: Ints = items("2 * cells")  # by cell',
        "    old: Shorts = unset_items(",
        '        "LONGEST"',
        "    )  # by edge",
        "    def __init__(self, cells: int) -> None:",
        "        make_fields(self, locals())",
        "",
        "",
        "def is_drawn(states: Ints, edge: int) -> bool:",
        "    drawn: bool = states[edge] == EdgeState.DRAWN",
        "    return drawn",
        "",
        "",
        "@for_python",
        "def listed(count: int) -> list:",
        "    return [0] * count",
        "",
        "",
        "@cython.inline",
        "def longer(length: int) -> int:",
        "    return length + 1",
    ]
    (folder / "ladder" / "board.py").write_text("\n".join(lines) + "\n")
    hook.write_unit(tmp_path)
    assert (tmp_path / hook.WRITTEN / hook.UNIT).read_text().endswith('\ninclude "ladder/board.pxi"\n')
    written = (tmp_path / hook.WRITTEN / "ladder" / "board.pxi").read_text().splitlines()
    changed = {
        **dict.fromkeys(range(1, 5), ""), 5: "cdef enum: LONGEST = 3",
        7: "@cython.cclass", 9: "    way: Ints  # by cell", 10: "    old: Shorts  # by edge", 11: "", 12: "",
        13: "    def __init__(self, cells: cython.int) -> None:",
        14: "        self.way = cython.cast(Ints, block_of(self, 2 * cells, 4, True)); "
        "self.old = cython.cast(Shorts, block_of(self, LONGEST, 2, False))",
        17: "cdef cython.bint is_drawn(Ints states, cython.int edge) noexcept nogil:",
        18: "    drawn: cython.bint = states[edge] == 1", 22: "",
        23: "def listed(count: cython.int) -> list:",
        27: "", 28: "cdef inline cython.int longer(cython.int length) noexcept nogil:",
    }  # fmt: skip
    assert written == [changed.get(at, line) for at, line in enumerate(lines)]
