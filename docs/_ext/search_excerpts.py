"""Sphinx extension: show the beginning of each page under its search result.

Sphinx's own excerpts need a web server, and these docs are also read from the disk.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docutils import nodes

_LONGEST = 200  # characters
_SCRIPT = """\
const EXCERPTS = %s;
const addExcerpts = () => {
  for (const link of document.querySelectorAll("ul.search li > a")) {
    const page = link.getAttribute("href").replace(/\\.html.*$/, "");
    if (EXCERPTS[page] && !link.parentNode.querySelector("p.excerpt")) {
      const excerpt = document.createElement("p");
      excerpt.className = "excerpt";
      excerpt.textContent = EXCERPTS[page];
      link.parentNode.append(excerpt);
    }
  }
};
addEventListener("load", () => {
  const results = document.getElementById("search-results");
  addExcerpts();
  if (results) new MutationObserver(addExcerpts).observe(results, { childList: true, subtree: true });
});
"""


def first_sentences(doctree: nodes.document) -> str:
    """Return the first paragraph of a page, shortened to ``_LONGEST`` characters."""
    paragraph = next(iter(doctree.findall(nodes.paragraph)), None)
    text = " ".join(paragraph.astext().split()) if paragraph else ""
    return text if len(text) <= _LONGEST else text[:_LONGEST].rpartition(" ")[0] + " …"


def setup(app: Any) -> dict[str, bool]:
    """Write the script after all pages, and load it on each of them."""

    def write(app: Any, error: Exception | None) -> None:
        if error is None and app.builder.format == "html":
            pages = sorted(app.env.found_docs)
            excerpts = {name: first_sentences(app.env.get_doctree(name)) for name in pages}
            text = _SCRIPT % json.dumps(excerpts, ensure_ascii=False)
            Path(app.outdir, "_static", "search-excerpts.js").write_text(text, encoding="utf-8")

    app.add_js_file("search-excerpts.js")
    app.connect("build-finished", write)
    return {"parallel_read_safe": True}
