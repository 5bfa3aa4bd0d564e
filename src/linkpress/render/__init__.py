"""Draw frames as PDF, SVG, EPS or pixels.

A frame is a list of lines, areas, texts and pictures with their places. The package ``layout`` makes frames,
and decides where everything is on the page. A renderer only writes the content of a frame.

- ``fonts``: font files, and the glyphs and widths of lines of text
- ``pdf``: pages as a PDF, and the metadata of a file
- ``raster``: frames as pixels: PNG, TIFF, and pictures of several pages side by side
- ``svg``: a frame as SVG
- ``eps``: a frame as Encapsulated PostScript
- ``photos``: pixel pictures: read, reduce, crop, lighten and convert them
"""

import os
import sys
from importlib import import_module
from types import ModuleType


def _load_reportlab_settings() -> None:
    """Load ReportLab's default settings, so that a book doesn't depend on the user's machine.

    ReportLab would run the user's files ``~/.reportlab_mods`` and ``~/.reportlab_settings``, unless modules
    with these names exist already. It would also take each setting from an environment variable such as
    ``RL_canvas_baseColor``, and fail if the value of the variable is invalid.
    """
    for name in ("reportlab_mods", "reportlab_settings"):
        sys.modules.setdefault(name, ModuleType(name))
    variables = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("RL_")}
    try:
        import_module("reportlab.rl_config")
    finally:
        os.environ.update(variables)


_load_reportlab_settings()
