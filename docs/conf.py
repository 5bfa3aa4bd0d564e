"""Sphinx configuration; ``sphinx-build -W docs build/docs`` builds the documentation."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(Path(__file__).parent / "_ext")]

from linkpress.version import __version__  # noqa: E402

project = "linkpress"
author = "The linkpress authors"
project_copyright = "The linkpress authors, MIT licence"
release = version = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "generated_reference",
    "search_excerpts",
]
exclude_patterns = ["_ext"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
myst_links_external_new_tab = False

autodoc_typehints = "description"
autodoc_member_order = "bysource"
napoleon_custom_sections = ["Source"]
napoleon_use_rtype = False

html_theme = "furo"
html_title = f"linkpress {release}"
html_static_path = ["_static"]
html_css_files = ["linkpress.css"]
html_copy_source = False
html_show_sphinx = False
# Sphinx fetches each page it found to show an excerpt, which a browser forbids for files on the disk.
# The extension search_excerpts shows the first sentences of each page instead.
html_show_search_summary = False
html_search_scorer = str(Path(__file__).parent / "_static" / "search-scorer.js")
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5a8a", "color-brand-content": "#0b5a8a"},
    "dark_css_variables": {"color-brand-primary": "#7cc4ef", "color-brand-content": "#7cc4ef"},
}
