"""Image files as tests look into them."""

import io
from pathlib import Path

from PIL import Image


def image_of(path: Path) -> Image.Image:
    """An image read from a file that is closed again."""
    return Image.open(io.BytesIO(path.read_bytes()))
