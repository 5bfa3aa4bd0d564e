"""Image files as tests look into them."""

import io

from PIL import Image


def image_of(path):
    """An image read from a file that is closed again."""
    return Image.open(io.BytesIO(path.read_bytes()))
