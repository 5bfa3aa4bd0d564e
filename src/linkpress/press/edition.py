"""A volume as layout takes it, and the code that names its content."""

from __future__ import annotations

import hashlib

from linkpress.book.volume import Volume, volume_json
from linkpress.layout.edition import Edition

BUILD_DIGITS = 12


def edition_of(volume: Volume, build: str | None = None) -> Edition:
    """The book to lay out.

    Args:
        volume: finished; its spec says how it is printed.
        build: what stands on the copyright page as the build; the code of the volume's content if None.
    """
    return Edition(volume.spec, volume.numbered, volume.linkpress_version, build or build_code(volume))


def build_code(volume: Volume) -> str:
    """A short code of the volume's content, printed on the copyright page."""
    return hashlib.sha256(volume_json(volume).encode()).hexdigest()[:BUILD_DIGITS]
