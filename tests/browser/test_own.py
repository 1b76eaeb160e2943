"""The page for a reader's own Q, K, V in a real browser: files go in, faults are named."""

import io

import numpy as np
import pytest

from core import diagnose

pytestmark = pytest.mark.browser

# Of each control: top and height of its box, and how far its label's middle stands above.
PLACES = """() => [...document.querySelectorAll(
    '.st-key-controls [data-testid="stElementContainer"]:has([data-testid="stWidgetLabel"])')]
  .map(control => {
    const middle = found => { const r = found.getBoundingClientRect(); return r.y + r.height / 2; };
    const label = control.querySelector('[data-testid="stWidgetLabel"] p');
    const toggle = control.querySelector('[data-testid="stCheckbox"] label > div');
    if (toggle) return ['toggle', 0, middle(toggle) - middle(label)];
    const box = control.querySelector(
      '[role="group"], [data-testid="stNumberInputContainer"], [role="radio"]');
    const { y, height } = box.getBoundingClientRect();
    return [y, height, y - middle(label)];
  })"""
UPLOADER = ["[data-testid='stFileUploader']"]  # the framework's own


def saved(save=np.savez, *given, **arrays):
    file = io.BytesIO()
    save(file, *given, **arrays)
    return file.getvalue()


def choose(tab, *files, until):
    """Choose files and wait for what the page says of the last: they go up beside the websocket."""
    tab.find("stFileUploaderDropzoneInput").set_input_files(
        [{"name": n, "mimeType": "application/octet-stream", "buffer": b} for n, b in files]
    )
    tab.page.get_by_text(until).first.wait_for()
    tab.settle()


class TestFiles:
    def test_a_good_file_and_then_bad_ones(self, open_page):
        query, key = np.random.default_rng(9).standard_normal((2, 3, 16, 32)).astype(np.float32)
        head = diagnose(query, key).heads[1]
        good = saved(q=query, k=key, mask=np.tri(16, dtype=bool))
        tab = open_page("/own", query="own_head=1")
        tab.pick("Look at", "files")
        assert "Files up to 64 MiB" in tab.text()
        assert "Until your arrays are here, this is the sample." in tab.text()
        choose(tab, ("mine.npz", good), until="All 3 heads: as-modelled.")
        tab.pick("Mask", "none")
        assert f"standard deviation {head.std:.3g};" in tab.text()
        assert tab.overflow() == []
        assert tab.accessibility_findings(exclude=UPLOADER) == []

        pickled = saved(np.save, np.array([{"a": 1}], dtype=object))
        cut = good[: len(good) // 2]
        choose(tab, ("<b>p.npy", pickled), ("cut.npz", cut), until="cut.npz is a damaged")
        said = tab.text()
        assert "<b>p.npy holds Python objects" in said
        assert "All 3 heads: as-modelled." in said


class TestPage:
    @pytest.mark.parametrize(("width", "theme"), [(1280, "dark"), (360, "light")])
    def test_fits_and_is_accessible(self, open_page, width, theme):
        tab = open_page("/own", width=width, theme=theme, query="own_sample=nan-and-mask")
        assert "query holds 1 × NaN, 1 × +inf" in tab.text()
        # Labels with a sign of help and without, boxes, buttons and a toggle stand in line.
        *places, toggle = tab.page.evaluate(PLACES)
        assert len(places) == 4
        assert {round(height) for _, height, _ in places} == {44 if width == 360 else 40}
        assert {round(above) for *_, above in places} == {16}
        assert abs(toggle[2]) < 2
        tab.expand("Every head as a table")
        tab.expand("Sample files to download")
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []

    def test_a_link_restores_and_reset_clears(self, open_page):
        link = "own_sample=random&own_head=1&own_causal=true&own_divisor=2"
        tab = open_page("/own", query=link)
        assert "Head 1: as-modelled." in tab.text()
        assert "Divided by yours, 2," in tab.text()
        assert "1 row may attend one key only" in tab.text()
        tab.click("Reset")
        assert "own_" not in tab.path
        assert "Divided by yours, 4," in tab.text()
