"""The sweep page in a real browser: both published runs, a long run dropped, links and files."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

WIDTHS = ("4", "16", "64", "256", "1,024")
PUBLISHED = {
    "independent keys": {
        ("raw std", WIDTHS): ("1.990", "3.997", "8.015", "15.967", "31.774"),
        ("scaled std", WIDTHS): ("0.995", "0.999", "1.002", "0.998", "0.993"),
        ("raw largest weight", WIDTHS): ("0.460", "0.710", "0.857", "0.925", "0.962"),
        ("scaled largest weight", WIDTHS): ("0.272", "0.285", "0.289", "0.288", "0.288"),
        ("raw entropy (nats)", ("4", "1,024")): ("1.575", "0.092"),
        ("scaled entropy (nats)", ("4", "1,024")): ("2.121", "2.093"),
        ("raw rows over 0.9 (%)", ("4", "1,024")): ("4.0", "88.1"),
        ("scaled rows over 0.9 (%)", ("4", "1,024")): ("0.2", "0.0"),
    },
    "self-attention": {
        ("scaled std", WIDTHS): ("1.009", "0.997", "1.003", "0.999", "0.999"),
        ("scaled entropy / ln n", WIDTHS): ("0.855", "0.854", "0.850", "0.851", "0.851"),
    },
}
HEAVY = "sweep_keys=4096&trials=4000&widths=1&widths=1048576"


def table(tab):
    """Return the cells of the comparison, row by row."""
    rows = tab.find("stTable").first.locator("tbody tr")
    return [[cell.strip() for cell in row.split("\t")] for row in rows.all_inner_texts()]


def check_published(tab, preset):
    expected = {
        (quantity, width): value
        for (quantity, widths), values in PUBLISHED[preset].items()
        for width, value in zip(widths, values, strict=True)
    }
    rows = table(tab)
    assert {(quantity, width): value for quantity, width, value, *_ in rows} == expected
    for _, _, value, here, verdict in rows:
        assert re.fullmatch(r"agrees, (−?\d+\.\d\d|<0\.01|0)", verdict)
        places = len(value.partition(".")[2])
        assert abs(float(here) - float(value)) <= 0.5 * 10**-places + 1e-9
    count = len(expected)
    assert f"{count} of {count} published values agree" in tab.text()


def shown(tab, name):
    """Return the number of points in each figure, and its titles."""
    return tab.find(f".st-key-sweep_{name} .points path.point").count()


class TestPublished:
    def test_independent_keys_at_1280(self, open_page):
        tab = open_page("/sweep")
        tab.pick("Experiment: your own (free), or a published one", "independent keys")
        assert tab.path == "/sweep?preset=independent+keys"
        tab.find("stTable").first.wait_for(timeout=60_000)
        tab.settle()
        check_published(tab, "independent keys")
        page = tab.text()
        assert "Engine: drawn vectors. Seed 20260718. 70,928,000 random numbers" in page
        assert "standard deviation of the raw scores is 31.8" in page
        assert shown(tab, "spread") == shown(tab, "weights") == 4 * len(WIDTHS)
        tab.page.mouse.move(0, 0)
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name="Download the published values").click()
        with open(download.value.path(), encoding="utf-8") as file:
            assert "independent-keys,1024,score_std,raw,31.774,31.7738" in file.read()

    def test_self_attention_at_360_in_the_dark(self, open_page):
        tab = open_page("/sweep", width=360, theme="dark", query="preset=self-attention")
        tab.find("stTable").first.wait_for(timeout=60_000)
        tab.settle()
        check_published(tab, "self-attention")
        page = tab.text()
        assert "root mean square of the raw scores is 32.0" in page
        assert "Seed 20." in page
        tops = [tab.find(f"sweep_{name}").bounding_box() for name in ("spread", "weights")]
        assert tops[0]["y"] + tops[0]["height"] <= tops[1]["y"]
        assert tops[1]["y"] < tab.find("controls").bounding_box()["y"]
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []


class TestFree:
    def test_stands_whole_on_one_screen_and_follows_its_controls(self, open_page):
        tab = open_page("/sweep")
        for name in ("spread", "weights"):
            box = tab.find(f"sweep_{name}").bounding_box()
            assert box["y"] + box["height"] <= 800
            assert shown(tab, name) == 4 * 9
        tab.set_number("Keys", 64)
        tab.set_number("Seed", 7)
        assert set(tab.path.partition("?")[2].split("&")) == {"sweep_keys=64", "seed=7"}
        page = tab.text()
        assert "Seed 7. 585,000 random numbers, 576,000 scores." in page
        assert "ln 64 ≈ 4.159" in tab.find("sweep_spread").text_content()
        tab.click("4,096 keys")
        assert "sweep_keys=4096" in tab.path
        tab.click("Reset")
        assert tab.path == "/sweep"
        with tab.rerun():
            tab.find("ask").get_by_text("over 0.9", exact=True).click()
        assert "“over 0.9” is right. It is 0.921, exactly" in tab.text()

    def test_the_files_carry_seed_engine_and_versions(self, open_page):
        tab = open_page("/sweep", theme="dark", query="trials=50&seed=3&widths=4&widths=16")
        tab.expand("The numbers as a table")
        assert "raw, exact" in tab.text("stTable")
        assert "no formula" in tab.text("stTable")
        with tab.page.expect_download() as download:
            tab.page.get_by_role("button", name="Download CSV").click()
        with open(download.value.path(), encoding="utf-8") as file:
            header, *rows = file.read().splitlines()
        assert header.endswith("n_keys,n_queries,n_trials,score_std_is,seed,engine,python,numpy")
        assert len(rows) == 6
        assert ",12,1,50,standard deviation,3,exact-law,3." in rows[0]
        for fold in ("Derivation", "How this was run", "Show the NumPy", "Link to this state"):
            tab.expand(fold)
        page = tab.text()
        assert "trials=50&widths=4&widths=16&seed=3" in page
        assert "n_trials = 50" in page
        assert "Each width has a random stream of its own" in page
        assert tab.overflow() == []
        assert tab.accessibility_findings() == []


class TestLinks:
    def test_too_much_work_is_cut_and_said(self, open_page):
        tab = open_page("/sweep", query="sweep_keys=4096&trials=99999999&widths=4&widths=4&seed=-1")
        expect(tab.find("stMain")).to_contain_text(
            "It runs 4,096, the most that fit", timeout=30_000
        )
        tab.settle()
        page = tab.text()
        assert "99,999,999 trials are more work than this page takes on." in page
        assert "seed=-1: seed takes a whole number from 0 to" in page
        assert "What you see" in page


class TestLongRuns:
    def test_a_change_supersedes_and_a_stop_stops(self, open_page):
        tab = open_page("/sweep", query="trials=100&seed=5")
        page = tab.page
        field = page.get_by_role("spinbutton", name="Keys", exact=True)
        stop = page.get_by_role("button", name="Stop", exact=True)
        page.goto(f"{tab.server}/sweep?{HEAVY}")
        stop.wait_for(timeout=30_000)
        expect(tab.find("stMain")).to_contain_text("(running)", timeout=30_000)
        # What an earlier setting left is gone, and nothing is said of an unfinished run.
        assert "What you see" not in tab.text()

        field.fill("3")
        with tab.rerun():
            field.press("Enter")
        assert "344,148,000 random numbers" not in tab.text()
        assert "Stop" not in tab.text()
        assert "Seed 1. 336,000 random numbers, 252,000 scores." in tab.text()
        assert "ln 3 ≈ 1.099" in tab.find("sweep_spread").text_content()
        assert "(running)" not in tab.find("sweep_spread").text_content()
        assert shown(tab, "spread") == 4 * 21

        field.fill("4095")
        field.press("Enter")
        stop.click(timeout=60_000)
        tab.settle()
        expect(tab.find("stMain")).to_contain_text("A partial result:", timeout=30_000)
        assert "What you see" not in tab.text()
        assert page.get_by_role("button", name="Run it again").is_visible()
        assert tab.accessibility_findings() == []
