"""This package draws frames, and decides nothing.

- ``font_files``   the fonts, registered
- ``fonts``        lines of type: their glyphs and their widths
- ``glyph_fonts``  fonts in a PDF whose text is written as glyph numbers
- ``pdf``          pages as a PDF, and what a file says about itself
- ``raster``       frames as pixels: PNG, TIFF, a sheet of small pages
- ``svg``          a frame as SVG
- ``eps``          a frame as Encapsulated PostScript
- ``photos``       pictures of pixels: their size, cut and lightened, as mixes of inks
- ``photo_bands``  large pictures, decoded some rows at a time and reduced meanwhile
"""

import os
import sys
from importlib import import_module
from types import ModuleType


def _load_settings() -> None:
    """Load ReportLab's settings as it ships them: a book must not depend on whoever calls.

    It would run ``~/.reportlab_mods`` and ``~/.reportlab_settings``: modules of these names that are
    there already go before the files. And it would take a setting from any variable ``RL_name`` of
    the environment, such as RL_canvas_baseColor, and end at a value that it does not know.
    """
    for name in ("reportlab_mods", "reportlab_settings"):
        sys.modules.setdefault(name, ModuleType(name))
    theirs = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("RL_")}
    try:
        import_module("reportlab.rl_config")
    finally:
        os.environ.update(theirs)


_load_settings()
