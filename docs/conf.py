"""How Sphinx builds the documentation: ``sphinx-build -W docs build/docs``."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src"), str(Path(__file__).parent / "_ext")]

from linkpress.version import __version__  # noqa: E402

project = "linkpress"
author = "The linkpress authors"
project_copyright = "The linkpress authors, MIT licence"
release = version = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "generated_reference"]
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
html_show_search_summary = False  # a page that is opened from the disk may not fetch others
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#0b5a8a", "color-brand-content": "#0b5a8a"},
    "dark_css_variables": {"color-brand-primary": "#7cc4ef", "color-brand-content": "#7cc4ef"},
}
