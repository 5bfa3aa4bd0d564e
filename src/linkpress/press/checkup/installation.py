"""What was installed: Python, packages, fonts, printer profiles."""

from __future__ import annotations

import platform
import re
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from linkpress.press.checkup.finding import Result, State, fine
from linkpress.press.checkup.shipped import Reader, check_shipped, read_schema
from linkpress.resources import REINSTALL

_VERSION = re.compile(
    r"v?(\d+(?:\.\d+)*)[-_.]?(?:(a|b|rc)[-_.]?(\d*))?(?:[-_.]?post(\d+))?(?:[-_.]?dev(\d*))?"
)
_SPECS = ("starter", "six-grades", "volume-1")
_REQUIREMENT = re.compile(r"([A-Za-z0-9._-]+)\s*>=\s*([^\s;,]+)\s*$")


def check_python() -> Result:
    """Python is new enough for this linkpress."""
    needed = distribution("linkpress").metadata["Requires-Python"].removeprefix(">=").strip()
    found = platform.python_version()
    text = f"{found} ({sys.executable}), {needed} or later is needed"
    if is_at_least(found, needed):
        return fine(text)
    return State.BROKEN, text, f"Install Python {needed} or later and linkpress into it."


def check_packages() -> Result:
    """Every package that linkpress needs is there, and new enough."""
    needed = required_packages()
    faults = [fault for name, bound in needed.items() if (fault := _package_fault(name, bound))]
    if not faults:
        return fine(f"{len(needed)} packages, none missing or too old")
    return State.BROKEN, "; ".join(faults), f"Bring them up to date: {REINSTALL}."


def check_fonts() -> Result:
    """Every font can be read and has the figures of a board."""
    from linkpress.layout.frame import FontKey
    from linkpress.render.fonts import FontMeasure

    measure = FontMeasure()
    lacking = [key.value for key in FontKey if measure.missing("0123456789", key)]
    if lacking:
        return State.BROKEN, f"no figures in {', '.join(lacking)}", f"The fonts are damaged: {REINSTALL}."
    return fine(f"{len(FontKey)} fonts: {', '.join(key.value for key in FontKey)}")


def check_printers() -> Result:
    """Every shipped printer profile can be read."""
    from linkpress.config.shipped_files import PRINTERS
    from linkpress.layout.printers import load_printer

    names = PRINTERS.names()
    shipped = {PRINTERS.find(name): load_printer for name in names}
    return check_shipped(shipped, f"{len(names)} profiles: {', '.join(names)}")


def check_files() -> Result:
    """Themes, the specs to start from and their schema are there and without fault."""
    from linkpress.book.spec import load_spec
    from linkpress.config.shipped_files import THEMES
    from linkpress.layout.theme import load_theme
    from linkpress.resources import resource

    specs = [resource("config", f"{name}.yaml") for name in _SPECS]
    shipped: dict[Path, Reader] = {
        **{THEMES.find(name): load_theme for name in THEMES.names()},
        **dict.fromkeys(specs, load_spec),
        resource("config", "spec.schema.json"): read_schema,
    }
    return check_shipped(shipped, f"{len(THEMES.names())} themes, {len(specs)} specs and their schema")


def required_packages() -> dict[str, str]:
    """The lowest version of each package that linkpress itself needs, extras left out."""
    bounds = (_REQUIREMENT.match(line) for line in distribution("linkpress").requires or ())
    return {bound[1]: bound[2] for bound in bounds if bound}


def is_at_least(found: str, bound: str) -> bool:
    """Whether a version is the bound or later. Source: PEP 440, less epochs and local versions."""
    return _order(found) >= _order(bound)


def _package_fault(name: str, bound: str) -> str | None:
    try:
        found = version(name)
    except PackageNotFoundError:
        return f"{name} is missing"
    return None if is_at_least(found, bound) else f"{name} is {found}, {bound} or later is needed"


def _order(text: str) -> tuple[object, ...]:
    match = _VERSION.match(text)
    if match is None:
        return ((), "", 0, 0, 0)
    release, stage, stage_number, post, dev = match.groups()
    numbers = [int(part) for part in release.split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    # A development release comes before its alpha ("" < "a"), a final one after its last candidate.
    rank = stage or ("" if dev is not None and post is None else "z")
    before_final = int(dev or 0) if dev is not None else sys.maxsize
    return (tuple(numbers), rank, int(stage_number or 0), int(post or 0), before_final)
