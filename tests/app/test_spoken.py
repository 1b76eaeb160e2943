"""What a screen reader says of a page: a name for every control, words with numbers for charts."""

import gzip
import json
import re
from collections.abc import Iterator

import pages
import pytest
from streamlit.testing.v1 import AppTest

#: A number as the pages write it: 12, 1,024, −0.577, 70.7, 6.71 × 10⁻⁸.
NUMBER = re.compile(r"[−-]?\d[\d,]*(?:\.\d+)?")

WIDGETS = (
    "button",
    "button_group",
    "checkbox",
    "download_button",
    "file_uploader",
    "number_input",
    "radio",
    "selectbox",
    "slider",
    "text_area",
    "text_input",
)


def charts(app: AppTest) -> Iterator[tuple[str, str]]:
    """Yield the key of each chart and the words that stand for it."""
    for element in app.get("plotly_chart"):
        yield element.proto.id, element.proto.alt
    for element in app.get("bidi_component"):
        if element.proto.component_name == "why_sqrt_dk_drawing":
            for picture in json.loads(gzip.decompress(element.proto.bytes)):
                yield picture["file"], picture["alt"]


class TestEveryPage:
    @pytest.mark.parametrize("entry", pages.PAGES.values(), ids=lambda entry: entry.view)
    def test_charts_are_described_with_their_numbers(self, open_app, entry):
        for key, alt in charts(open_app(f"{entry.view}.py")):
            assert len(alt.split()) >= 6, (key, alt)
            assert len(set(NUMBER.findall(alt))) >= 2, (key, alt)

    @pytest.mark.parametrize("entry", pages.PAGES.values(), ids=lambda entry: entry.view)
    def test_controls_have_names(self, open_app, entry):
        app = open_app(f"{entry.view}.py")
        names = [(kind, element.proto.label) for kind in WIDGETS for element in app.get(kind)]
        assert all(re.search(r"\w", name) for _, name in names), names
        assert entry is pages.HOME or len(names) >= 2
        # One that is heard twice is not told apart.
        assert len(set(names)) == len(names), names


class TestCharts:
    def test_no_page_lost_its_charts(self, open_app):
        drawn = {
            entry.view
            for entry in pages.PAGES.values()
            if any(charts(open_app(f"{entry.view}.py")))
        }
        assert drawn == {entry.view for entry in pages.PAGES.values()} - {
            "home",
            "divisor",
            "teach",
            "quiz",
        }
