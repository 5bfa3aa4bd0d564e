"""Lines of Thai and Japanese beside those that Chromium makes of the same words and font."""

from pathlib import Path

import pytest
from PIL import ImageChops, ImageFilter

from image_files import image_of
from linkpress.documents.values import PixelMode
from linkpress.layout.frame import FontKey, Frame
from linkpress.layout.text_flow import break_lines, set_text, text_block
from linkpress.render.fonts import SHIPPED, FontMeasure, book_faces
from linkpress.render.raster import rasterise
from linkpress.resources import resource

THAI_FONT = resource("fonts", "ibm-plex-sans-thai", "IBMPlexSansThai-Regular.ttf")
THAI = (
    "ลากเส้นเชื่อมตัวเลขคู่เดียวกัน โดยไม่ให้เส้นตัดกัน และให้เส้นผ่านทุกช่องของตาราง ผู้เล่นที่เริ่มต้นควรมองหา"
    "ช่องมุมก่อน เพราะเส้นที่มุมไปได้ทางเดียว น้ำหนักของเส้นไม่สำคัญ"
)
JAPANESE = (
    "同じ数字どうしを線でつなぎましょう。「線」は、ほかの線と交わりません（枝分かれもしません）。"
    "すべてのマスを通ると、ナンバーリンクのできあがりです。ちょっと休んで、コーヒーをどうぞ！"
)
SIZE, WIDTH = 40, 640
PAGE = """
<style>@font-face {{ font-family: T; src: url({font}) }}
body {{ margin: 0; text-rendering: geometricPrecision }}
div {{ font: {size}px T; line-height: 2; width: {width}px; line-break: strict }}</style>
<div lang={language}>{text}</div>"""
LINES_OF = """() => {
  const text = document.querySelector('div').firstChild, range = document.createRange(), lines = [];
  let last = null;
  for (let at = 0; at < text.length; at++) {
    range.setStart(text, at); range.setEnd(text, at + 1);
    const box = range.getBoundingClientRect();
    if (last === null || box.bottom > last + 20) { lines.push(''); last = box.bottom; }
    lines[lines.length - 1] += text.data[at];
  }
  return lines.map(line => line.trim());
}"""


@pytest.fixture(scope="module")
def page(chromium):
    return chromium.new_page(viewport={"width": WIDTH, "height": 900})


@pytest.mark.parametrize(("language", "text"), [("th", THAI), ("ja", JAPANESE)])
def test_lines_end_and_look_as_in_a_browser(language, text, page, fonts_for, tmp_path):
    font = THAI_FONT if language == "th" else Path(fonts_for(language)["fallback"])
    faces = SHIPPED if language == "th" else book_faces({"regular": font})
    (tmp_path / "page.html").write_text(
        PAGE.format(font=font.as_uri(), size=SIZE, width=WIDTH, language=language, text=text),
        encoding="utf-8",
    )
    page.goto((tmp_path / "page.html").as_uri())
    page.evaluate("document.fonts.load('40px T', document.body.innerText).then(() => undefined)")
    theirs = page.evaluate(LINES_OF)
    measure = FontMeasure(faces, language)
    block = text_block(text, SIZE)
    ours = [line.text for line in break_lines(block, WIDTH, measure)]
    assert ours == theirs

    top = page.evaluate("document.querySelector('div').getBoundingClientRect().top")
    (tmp_path / "theirs.png").write_bytes(page.screenshot())
    shown = image_of(tmp_path / "theirs.png").convert("L")
    for at, line in enumerate(ours):
        strip = shown.crop((0, int(top + 80 * at), WIDTH, int(top + 80 * (at + 1))))
        run = set_text(line, (0.0, 25.0), FontKey.REGULAR, SIZE, measure)
        drawn = rasterise(Frame(WIDTH, 80, (run,)), (WIDTH, 80), PixelMode.GRAY, faces=faces)
        assert _ink_box(strip)[0::2] == pytest.approx(_ink_box(drawn)[0::2], abs=2)
        assert _unlike(strip, drawn) < 0.03, f"line {at}: {line}"


def _ink_box(image):
    return image.point(lambda level: 255 if level < 160 else 0).getbbox()


def _unlike(first, second):
    """The share of one's ink that lies more than a pixel from any ink of the other, laid on one baseline."""
    boxes = [_ink_box(image) for image in (first, second)]
    moved = ImageChops.offset(second, 0, boxes[0][1] - boxes[1][1])
    inks = [image.point(lambda level: 255 if level < 128 else 0) for image in (first, moved)]
    near = [ink.filter(ImageFilter.MaxFilter(3)) for ink in inks]
    away = [ImageChops.subtract(inks[at], near[1 - at]) for at in (0, 1)]
    return max(_amount(part) / _amount(ink) for part, ink in zip(away, inks, strict=True))


def _amount(image):
    return image.histogram()[255]
