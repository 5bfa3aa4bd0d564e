import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkpress.errors import UsageError
from linkpress.images.pixels import canvas_of, fit_board, fitted_theme
from linkpress.layout.theme import load_theme


@pytest.mark.parametrize(
    ("width_mm", "dpi", "pixels"), [(82.6, 600, 1951), (39.7, 170, 266), (254, 2400, 24000), (125.4, 72, 355)]
)
def test_the_width_is_rounded_from_millimetres_and_dpi(width_mm, dpi, pixels):
    assert canvas_of(width_mm, dpi).width_px == pixels == round(width_mm / 25.4 * dpi)


@pytest.mark.parametrize("dpi", [71, 2401, 0])
def test_resolutions_outside_72_to_2400_are_refused(dpi):
    with pytest.raises(UsageError, match="72 to 2400"):
        canvas_of(82.6, dpi)


@given(
    width_mm=st.floats(30, 300),
    dpi=st.integers(72, 2400),
    sides=st.tuples(st.integers(3, 50), st.integers(3, 50)),
    theme=st.sampled_from(["lineart", "classic", "bold", "newspaper"]),
)
def test_lines_centred_on_the_squares_borders_end_on_pixels(width_mm, dpi, sides, theme):
    canvas = canvas_of(width_mm, dpi)
    fit = fit_board(*sides, canvas, load_theme(theme))
    assert (fit.outline_px - fit.line_px) % 2 == 0
    assert fit.outline_px > fit.line_px >= 1
    assert 0 <= canvas.width_px - fit.width_px < sides[1] or fit.cell_px == 0
    assert (fit.width_px, fit.height_px) == tuple(
        fit.outline_px + fit.cell_px * side for side in reversed(sides)
    )


def test_the_theme_gets_the_weights_that_the_pixels_have():
    canvas = canvas_of(82.6, 600)
    theme = fitted_theme(load_theme("classic"), fit_board(5, 7, canvas, load_theme("classic")), canvas)
    # 0.75 pt are 6.25 pixels, 2 pt are 16.67, an inset of 1 pt is 8.33; a pixel is 0.12 pt
    assert theme.grid.inner_pt == pytest.approx(6 * 0.12)
    assert theme.grid.outer_pt == pytest.approx(16 * 0.12)
    assert theme.solids.inset_pt == pytest.approx(8 * 0.12)
