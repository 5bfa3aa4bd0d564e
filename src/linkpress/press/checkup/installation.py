"""What was installed: Python, packages, fonts, printer profiles."""

from __future__ import annotations

import platform
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import TYPE_CHECKING

from linkpress.press.checkup.finding import Result, State, fine
from linkpress.press.checkup.shipped import Reader, check_shipped, read_schema
from linkpress.resources import REINSTALL

if TYPE_CHECKING:  # it may be missing, which is a finding
    from packaging.requirements import Requirement

_SPECS = ("starter", "six-grades", "volume-1")


def check_python() -> Result:
    """Python is new enough for this linkpress."""
    from packaging.specifiers import SpecifierSet

    needed = SpecifierSet(distribution("linkpress").metadata["Requires-Python"])
    found = platform.python_version()
    least = str(needed).removeprefix(">=")
    text = f"{found} ({sys.executable}), {least} or later is needed"
    if needed.contains(found, prereleases=True):
        return fine(text)
    return State.BROKEN, text, f"Install Python {least} or later and linkpress into it."


def check_packages() -> Result:
    """Every package that linkpress needs is there, and new enough."""
    needed = required_packages()
    faults = [fault for one in needed if (fault := _package_fault(one))]
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


def required_packages() -> list[Requirement]:
    """The packages that linkpress itself needs, extras left out."""
    from packaging.requirements import Requirement

    needed = [Requirement(line) for line in distribution("linkpress").requires or ()]
    return [one for one in needed if one.marker is None]


def _package_fault(needed: Requirement) -> str | None:
    try:
        found = version(needed.name)
    except PackageNotFoundError:
        return f"{needed.name} is missing"
    if needed.specifier.contains(found, prereleases=True):
        return None
    return f"{needed.name} is {found}, {str(needed.specifier).removeprefix('>=')} or later is needed"
