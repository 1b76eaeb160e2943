"""The palette: told apart by every eye, and seen against its ground.

Dichromacy is simulated with the matrices for severity 1.0 of G. M. Machado, M. M. Oliveira and
L. A. F. Fernandes, "A physiologically-based model for simulation of color vision deficiency",
IEEE Transactions on Visualization and Computer Graphics 15 (2009), doi:10.1109/TVCG.2009.113.
Distance is ΔE*ab of CIE 1976 (ISO/CIE 11664-4), in which about 2.3 is just noticeable side by side;
contrast is that of WCAG 2.2, success criteria 1.4.3 and 1.4.11.
"""

import re
import tomllib
from dataclasses import replace
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from charts import svg
from charts.assumptions import DIVISORS
from charts.base import DARK, LIGHT, RAW, SCALED, Palette, ink, label
from charts.more_keys import map_figure
from charts.rule_styles import STYLES
from charts.weights import weight_map
from plotly.colors import sample_colorscale

from core.key_count import entropy_map

ROOT = Path(__file__).resolve().parents[2]
THEMES = {"light": LIGHT, "dark": DARK}
VISIONS = {
    "full": np.eye(3),
    "protanopia": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranopia": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanopia": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}

# Linear sRGB to CIE XYZ, D65 (IEC 61966-2-1).
TO_XYZ = np.array(
    [
        [0.4124564, 0.3575761, 0.1804375],
        [0.2126729, 0.7151522, 0.0721750],
        [0.0193339, 0.1191920, 0.9503041],
    ]
)

#: Six times what is just noticeable: lines and marks are thin and do not lie side by side.
APART = 15.0


def linear(colour: str) -> np.ndarray:
    """Turn ``#RRGGBB`` into linear light."""
    coded = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(coded <= 0.04045, coded / 12.92, ((coded + 0.055) / 1.055) ** 2.4)


def seen(colour: str, vision: str) -> np.ndarray:
    """Return L*, a*, b* of a colour as such an eye sees it."""
    light = np.clip(VISIONS[vision] @ linear(colour), 0, 1)
    share = TO_XYZ @ light / TO_XYZ.sum(axis=1)
    root = np.where(share > (6 / 29) ** 3, np.cbrt(share), share * (29 / 6) ** 2 / 3 + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distance(one: str, other: str, vision: str) -> float:
    """Return how far apart such an eye sees two colours."""
    return float(np.linalg.norm(seen(one, vision) - seen(other, vision)))


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted(float(TO_XYZ[1] @ linear(colour)) for colour in (one, other))
    return (light + 0.05) / (dark + 0.05)


def marks(colours: Palette) -> dict[str, str]:
    """Name the colours that tell things apart: raw, scaled, exact curves, and the further ones."""
    keys = {f"keys[{i}]": key for i, key in enumerate(colours.keys)}
    return {"raw": colours.raw, "scaled": colours.scaled, "exact": colours.exact, **keys}


def alike(colours: Palette, vision: str) -> list[str]:
    """Name the pairs of colours that such an eye does not tell apart."""
    return [
        f"{one} {first} and {other} {second}: {distance(first, second, vision):.1f}"
        for (one, first), (other, second) in combinations(marks(colours).items(), 2)
        if distance(first, second, vision) < APART
    ]


class TestMeasures:
    @pytest.mark.parametrize("vision", VISIONS)
    def test_every_eye_sees_grey_as_it_is(self, vision):
        for grey in ("#000000", "#777777", "#FFFFFF"):
            assert seen(grey, vision) == pytest.approx(seen(grey, "full"), abs=0.01)

    @pytest.mark.parametrize(
        ("colour", "lab"),
        [
            ("#FF0000", (53.24, 80.09, 67.20)),
            ("#00FF00", (87.73, -86.18, 83.18)),
            ("#0000FF", (32.30, 79.19, -107.86)),
        ],
    )
    def test_corners_of_srgb(self, colour, lab):
        # B. Lindbloom's calculator, brucelindbloom.com, sRGB and D65.
        assert seen(colour, "full") == pytest.approx(lab, abs=0.02)

    def test_contrast_of_the_guidelines_own_examples(self):
        assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
        assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)


class TestApart:
    @pytest.mark.parametrize("vision", VISIONS)
    @pytest.mark.parametrize("theme", THEMES)
    def test_no_two_look_alike(self, theme, vision):
        assert alike(THEMES[theme], vision) == []

    @pytest.mark.parametrize(
        ("vision", "one", "other"),
        [
            # Pairs that the full eye tells apart with ease.
            ("protanopia", "#D55E00", "#A06A00"),
            ("deuteranopia", "#E29BC4", "#AEB6C2"),
            ("tritanopia", "#0072B2", "#00795A"),
        ],
    )
    def test_what_one_eye_confuses_is_found(self, vision, one, other):
        confused = replace(LIGHT, raw=one, keys=(other,))
        pair = f"raw {one} and keys[0] {other}"
        assert any(found.startswith(pair) for found in alike(confused, vision))
        assert not any(found.startswith(pair) for found in alike(confused, "full"))

    def test_raw_and_scaled_differ_by_more_than_colour(self):
        assert RAW["symbol"] != SCALED["symbol"]
        assert RAW["dash"] != SCALED["dash"]

    @pytest.mark.parametrize("styles", [STYLES, DIVISORS], ids=["rules", "divisors"])
    def test_every_further_series_has_a_mark_of_its_own(self, styles):
        symbols = [style.symbol for style in styles.values()]
        assert len(set(symbols)) == len(symbols)


class TestContrast:
    @pytest.mark.parametrize("theme", THEMES)
    def test_marks_stand_out_and_words_are_readable(self, theme):
        colours = THEMES[theme]
        for name, colour in marks(colours).items():
            assert contrast(colour, colours.background) >= 3, name
            assert contrast(ink(colour), colours.background) >= 4.5, name
        for colour in (colours.text, colours.muted):
            assert contrast(colour, colours.background) >= 4.5

    @pytest.mark.parametrize("theme", THEMES)
    def test_words_in_figures_and_pictures_are_written_in_ink(self, theme):
        for colour in marks(THEMES[theme]).values():
            assert label("raw", 0, 0, colour)["font"]["color"] == ink(colour)
            assert f'fill="{ink(colour)}"' in svg.text(0, 0, "raw", colour)

    @pytest.mark.parametrize("theme", THEMES)
    def test_the_theme_around_the_charts(self, theme):
        config = tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))
        around = config["theme"][theme]
        assert around["backgroundColor"] == THEMES[theme].background
        for ground in (around["backgroundColor"], around["secondaryBackgroundColor"]):
            for words in ("textColor", "linkColor"):
                assert contrast(around[words], ground) >= 4.5
            assert contrast(around["primaryColor"], ground) >= 3


class TestWordsOnCells:
    """Words that stand on a heat map, against the cell under them."""

    @pytest.mark.parametrize("side", ["raw", "scaled"])
    @pytest.mark.parametrize("theme", THEMES)
    def test_every_weight_can_be_read_on_its_own_cell(self, theme, side):
        colours = THEMES[theme]
        weights = np.append(np.linspace(0, 1, 1001), np.nan)[:, None]
        queries = [str(i) for i in range(len(weights))]
        cells = weight_map(
            weights,
            colours,
            title=side,
            colour=getattr(colours, side),
            queries=queries,
            keys=["k"],
            blocked=np.isnan(weights) | (weights == 0),
        ).data[0]
        assert (cells.zmin, cells.zmax) == (0, 1)
        assert cells.textfont.size >= 12  # Plotly would shrink it until the markup fits the cell
        ends = [colour for _, colour in cells.colorscale]
        assert ends == [colours.background, getattr(colours, side)]
        for (z,), (text,) in zip(cells.z, cells.text, strict=True):
            written = re.fullmatch(r'<span style="color:(#\w{6})">([\d.<>×]+|NaN)</span>', text)
            assert contrast(written[1], mixed(*ends, z)) >= 4.5, (z, text)

    @pytest.mark.parametrize("theme", THEMES)
    @pytest.mark.parametrize("scaled", [False, True])
    def test_what_is_written_on_a_map_of_entropy(self, theme, scaled):
        figure = map_figure(THEMES[theme], entropy_map(), scaled=scaled, width=64, n_keys=128)
        words, cells = figure.layout.annotations[1], figure.data[0]
        # Three lines of 13 px stand on 290 px and 24 letters on some 300, of 17 and 11 octaves.
        left, right = (words.x - 7, words.x) if words.xanchor == "right" else (words.x, words.x + 5)
        columns = (np.array(cells.x[1:]) > left) & (np.array(cells.x[:-1]) < right)
        rows = (np.array(cells.y[1:]) > words.y) & (np.array(cells.y[:-1]) < words.y + 3.5)
        under = np.array(cells.z)[np.ix_(rows, columns)]
        assert under.size > 20
        for ground in sample_colorscale("Cividis", under.ravel()):
            rgb = [round(float(part)) for part in re.findall(r"[\d.]+", ground)]
            assert contrast(words.font.color, "#{:02X}{:02X}{:02X}".format(*rgb)) >= 4.5


def mixed(low: str, high: str, share: float) -> str:
    """Return the colour of a cell: a browser mixes the ends of a scale channel by channel."""
    ends = (np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) for colour in (low, high))
    start, stop = ends
    return "#{:02X}{:02X}{:02X}".format(*np.rint(start + share * (stop - start)).astype(int))
