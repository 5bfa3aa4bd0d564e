"""The cover: back, spine and front in one piece, sized by the finished interior."""

from linkpress.press.cover.compose import ComposedCover, compose_cover
from linkpress.press.cover.draw import draw_cover
from linkpress.press.cover.geometry import CoverGeometry, measure_cover
from linkpress.press.cover.order import CoverOrder, order_cover

__all__ = [
    "ComposedCover",
    "CoverGeometry",
    "CoverOrder",
    "compose_cover",
    "draw_cover",
    "measure_cover",
    "order_cover",
]
