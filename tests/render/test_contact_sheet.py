from linkpress.config.lengths import Size
from linkpress.layout.frame import Frame, Page, Rects
from linkpress.render.contact_sheet import DESK, contact_sheet


def page(number: int) -> Page:
    return Page(Frame(100.0, 150.0, (Rects(((0.0, 0.0, 50.0, 150.0),)),)), number, "test")


def test_pages_lie_in_rows_on_a_desk() -> None:
    sheet = contact_sheet([page(n) for n in range(1, 6)], Size(100.0, 150.0), cols=3, page_px=200)
    # Gap 0.06 × 200 = 12; 12 + 3 × (200 + 12) wide, 12 + 2 × (300 + 12) high.
    assert sheet.size == (648, 636)
    assert sheet.getpixel((5, 5)) == DESK
    assert sheet.getpixel((12 + 10, 12 + 10)) == (0, 0, 0)  # left half of the first page
    assert sheet.getpixel((12 + 150, 12 + 10)) == (255, 255, 255)
    assert sheet.getpixel((648 - 50, 636 - 50)) == DESK  # there is no sixth page
