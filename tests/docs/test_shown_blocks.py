"""Whatever README and docs show is true: specs are read, commands run, and outputs compared."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from doc_pages import PAGES, ROOT, Block, blocks_of
from loaded_linkpress import commands_of, has_fork_server, run_all, run_python
from PIL import Image, ImageChops, ImageStat

from linkpress.book.printing_keys import CoverDesign, Theme
from linkpress.book.spec import load_spec
from linkpress.documents.models import load_model
from linkpress.errors import LinkpressError
from linkpress.feeds.feed_spec import load_feed
from linkpress.images.image_settings import load_grid
from linkpress.printers import load_printer
from linkpress.resources import resource

BOOK = "title: Shown\nseed: 1\nlevels: [{name: One, count: 1, size: 7}]\n"
FEED = "id: shown\ntitle: Shown\nseed: 1\nweek: {monday: {size: 7}}\n"
THEME = "name: shown\n"


def missing_lines(smallest, text, recipes):
    """The lines of a smallest spec whose keys a text lacks; a mix stands for the key of the recipes."""
    given = set(re.findall("^([a-z]+):", text, re.MULTILINE))
    given |= {recipes} if given & {"mix", "puzzles"} else set()
    return [line for line in smallest.splitlines() if line.split(":")[0] not in given]


def read_book(path):
    """A whole spec, or some keys of one: what is missing comes from a smallest book."""
    text = path.read_text(encoding="utf-8")
    missing = missing_lines(BOOK, text, "levels")
    path.with_name("shown-book.yaml").write_text("\n".join([*missing, text]), encoding="utf-8")
    load_spec(path.with_name("shown-book.yaml"))


def read_feed(path):
    text = path.read_text(encoding="utf-8")
    missing = missing_lines(FEED, text, "week")
    path.with_name("shown-feed.yaml").write_text("\n".join([*missing, text]), encoding="utf-8")
    load_feed(path.with_name("shown-feed.yaml"))


CHECKS: dict[str, Callable[[Path], object]] = {
    "book": read_book, "feed": read_feed, "theme": lambda path: load_model(path, Theme),
    "design": lambda path: load_model(path, CoverDesign), "printer": load_printer,
    "grid": lambda path: load_grid(str(path)), "part": lambda path: None,
}  # fmt: skip


class Page:
    """One page's folder, in which its blocks are run one after the other."""

    def __init__(self, folder):
        self.folder = folder
        self.printed = ""
        (folder / "config").symlink_to(ROOT / "config")
        programs = folder / ".programs"
        programs.mkdir()
        (programs / "linkpress").write_text(f'#!/bin/sh\nexec {sys.executable} -m linkpress "$@"\n')
        (programs / "linkpress").chmod(0o755)
        paths = [str(programs), str(Path(sys.executable).parent), os.environ["PATH"]]
        self.environment = os.environ | {
            "PATH": os.pathsep.join(paths),
            "PYTHONPATH": str(ROOT / "src"),
            "LINKPRESS_LEDGER": str(folder / ".ledger.sqlite3"),
            "COLUMNS": "200",
            "NO_COLOR": "1",
        }

    def problem_of(self, block):
        """Do with a block what its language asks for, and return what is not true of it; empty if all is."""
        for name in block.markers.get("given", "").split():
            give(self.folder / name)
        if "not run" in block.markers:
            problem = "" if len(block.markers["not run"].split()) >= 4 else "give a reason"
        elif block.language not in (known := ["json", "python", "sh", "text", "yaml"]):
            problem = f"name its language: {', '.join(known)}"
        else:
            try:
                problem = getattr(self, f"problem_of_{block.language}")(block)
            except (LinkpressError, ValueError) as error:
                problem = str(error)
        return f"{block}: {problem}" if problem else ""

    def problem_of_sh(self, block):
        commands = commands_of(block.text)
        if commands is None:
            return self.problem_of_run(block, ["bash", "-euo", "pipefail", "-c", block.text])
        return self.problem_of_end(block, *run_all(commands, self.folder, self.environment))

    def problem_of_python(self, block):
        if has_fork_server():
            return self.problem_of_end(block, *run_python(block.text, self.folder, self.environment))
        return self.problem_of_run(block, [sys.executable, "-c", block.text])

    def problem_of_run(self, block, command):
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, encoding="utf-8", check=False,
        )  # fmt: skip
        return self.problem_of_end(block, done.returncode, done.stdout)

    def problem_of_end(self, block, code, printed):
        self.printed = printed
        return "" if code == int(block.markers.get("fails", "0")) else f"exit code {code}: {printed}"

    def problem_of_yaml(self, block):
        path = self.save(block) if "file" in block.markers else self.folder / "shown.yaml"
        path.write_text(block.text, encoding="utf-8")
        if not re.search("^base:", block.text, re.MULTILINE):  # such a file is checked by a command
            CHECKS[block.markers.get("kind", "book")](path)
        return ""

    def problem_of_json(self, block):
        json.loads(block.text)
        if "file" in block.markers:
            self.save(block)
        return ""

    def problem_of_text(self, block):
        if "file" in block.markers:
            self.save(block)
            return ""
        if "output" not in block.markers:
            return "mark it as a file or as an output"
        pattern = "(?s:.*)".join(re.escape(part) for part in block.text.strip().split("…"))
        return "" if re.search(pattern, self.printed) else f"this was printed:\n{self.printed}"

    def save(self, block):
        path = self.folder / block.markers["file"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
        return path


def give(path):
    """A sample picture or font of the name that a page's example has."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".jpg", ".png"):
        image = Image.new("RGB", (2800, 3600), "seagreen")
        image.paste("gold", (0, 2400, 2800, 3600))
        image.save(path, dpi=(300, 300))
    else:
        assert path.suffix == ".ttf", f"{path.name}: only pictures and fonts can be given"
        shutil.copy(resource("fonts", "ibm-plex-sans", "IBMPlexSans-Regular.ttf"), path)


@pytest.mark.skipif(sys.platform == "win32", reason="the pages show commands of a POSIX shell")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_what_a_page_shows_is_true(page, tmp_path):
    shown = Page(tmp_path)
    assert [problem for block in blocks_of(page) if (problem := shown.problem_of(block))] == []


def test_the_picture_of_the_starter_book_shows_its_pages_of_today(tmp_path, monkeypatch, capfd):
    monkeypatch.syspath_prepend(ROOT / "docs")
    make_pictures = importlib.import_module("make_pictures")
    make_pictures.make_starter(tmp_path, tmp_path / "today.png")
    shown = Image.open(make_pictures.PICTURES / "starter-pages.png").convert("L")
    today = Image.open(tmp_path / "today.png").convert("L")
    assert shown.size == today.size
    # Libraries may draw edges differently; another number or line changes far more.
    assert ImageStat.Stat(ImageChops.difference(shown, today)).rms[0] < 2


def test_each_isbn_shown_belongs_to_one_page():
    pages = {
        (isbn, page) for page in PAGES for isbn in re.findall(r"isbn: ([0-9-]{10,})", page.read_text("utf-8"))
    }
    assert len(pages) == len({isbn for isbn, _ in pages}) > 1, pages


def test_an_output_that_differs_is_found(tmp_path):
    page = Page(tmp_path)
    assert not page.problem_of(Block(ROOT / "README.md", 1, "sh", "echo five; echo six\n"))
    assert not page.problem_of(Block(ROOT / "README.md", 2, "text", "five\n…\n", {"output": ""}))
    found = page.problem_of(Block(ROOT / "README.md", 3, "text", "seven\n", {"output": ""}))
    assert found == "README.md:3: this was printed:\nfive\nsix\n"


@pytest.mark.parametrize(
    ("block", "said"),
    [
        (("sh", "linkpress check nowhere.yaml\n"), "exit code "),
        (("yaml", "levels: [{name: One}]\n"), "levels"),
        (("json", "{"), "Expecting property name"),
        (("text", "five\n"), "mark it as a file or as an output"),
        (("", "five\n"), "name its language"),
        (("sh", "echo five\n", {"not run": "it is slow"}), "give a reason"),
    ],
)
def test_a_block_that_is_not_true_is_found(block, said, tmp_path):
    found = Page(tmp_path).problem_of(Block(ROOT / "README.md", 1, *block))
    assert re.match(rf"(?s)README\.md:1: .*{said}", found)
