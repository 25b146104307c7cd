"""docs/reproduction/sdd-host.md is what `bench sdd --page` makes of the stored result."""

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from evenweave_bench.sdd import page
from evenweave_bench.sdd.command import read
from evenweave_bench.sdd.figures import FIGURES
from evenweave_bench.sdd.render import render
from evenweave_bench.sdd.time_line_chart import time_line_chart
from evenweave_sim.experiment import BadInput
from evenweave_sim.page import around_part

FOLDER = Path(__file__).resolve().parents[3] / "docs/reproduction"
SVG = "{http://www.w3.org/2000/svg}"
STORED = read(FOLDER / "sdd-host.json")
SHOWN = [*FIGURES, "scaling"]


def test_the_stored_result_has_all_that_the_page_shows():
    assert set(SHOWN) <= set(STORED)


def test_the_page_and_its_figures_are_made_of_the_stored_result(tmp_path):
    given = (FOLDER / "sdd-host.md").read_text()
    emptied = given
    for name in page.parts(STORED):
        before, after = around_part(emptied, name)
        emptied = before + after
    assert emptied != given
    made = tmp_path / "sdd-host.md"
    made.write_text(emptied)
    page.write_page(made, STORED)
    assert made.read_text() == given
    names = {page.figure_file(made, name).name for name in FIGURES}
    assert "sdd-host-closed-loop.svg" in names
    assert {path.name for path in tmp_path.glob("*.svg")} == names
    for name in names:
        assert (tmp_path / name).read_text() == (FOLDER / name).read_text()
        ElementTree.parse(tmp_path / name)


def test_what_was_not_measured_stays_as_it_is(tmp_path):
    given = (FOLDER / "sdd-host.md").read_text()
    made = tmp_path / "sdd-host.md"
    made.write_text(given)
    page.write_page(made, {"cores": 77, "loadBefore": STORED["loadBefore"]})
    assert made.read_text() == given.replace(f"on {STORED['cores']} cores that", "on 77 cores that")
    assert made.read_text() != given
    assert not list(tmp_path.glob("*.svg"))


def test_a_page_without_a_place_for_a_part_is_refused_and_stays(tmp_path):
    made = tmp_path / "page.md"
    made.write_text("nothing\n")
    with pytest.raises(BadInput, match="must have one <!-- "):
        page.write_page(made, STORED)
    assert made.read_text() == "nothing\n"


@pytest.mark.parametrize("text", ["", "[]", '{"cases": []}', '{"cores"'])
def test_a_file_of_something_else_is_refused(tmp_path, text):
    (tmp_path / "other.json").write_text(text)
    with pytest.raises(BadInput, match="other.json"):
        read(tmp_path / "other.json")


def test_a_rate_that_was_not_reached_is_said():
    rows = [
        {**row, "gotBps": row["txBps"] * (0.5 if row["txBps"] > 5e9 else 1)}
        for row in STORED["reaction"]
    ]
    said = page.parts({**STORED, "reaction": rows})["reaction"]
    assert said.count("Of 6, 9.6 Gb/s asked the veth pair with AF_XDP carried 3.0, 4.8.") == 2


def test_each_rate_of_the_paper_has_a_line_in_the_distribution():
    drawn = ElementTree.fromstring(FIGURES["reaction"](STORED["reaction"]))
    assert len(list(drawn.iter(f"{SVG}polyline"))) == 2 * 5
    names = {text.text for text in drawn.iter(f"{SVG}text")}
    assert {"1 Gb/s", "1.5 Gb/s", "3 Gb/s", "6 Gb/s", "9.6 Gb/s"} <= names


def test_a_time_line_has_a_box_for_each_circuit_and_a_stroke_for_each_packet():
    line = {
        "host": "h4",
        "fromMs": -100.0,
        "toMs": 200.0,
        "weeksMs": [0.0],
        "days": [[-150.0, -50.0, "h1"], [20.0, 60.0, "h2"]],
        "packets": {"circuit": {"h2": [25.0, 30.0, 30.0]}, "packetSwitch": {"h3": [70.0]}},
    }
    drawn = ElementTree.fromstring(time_line_chart("<of>", line, "<now>"))
    texts = [text.text for text in drawn.iter(f"{SVG}text")]
    assert {"<of>", "h1", "h2", "h3", "ms since <now>"} <= set(texts)
    boxes = [box for box in drawn.iter(f"{SVG}rect") if "fill-opacity" in box.attrib]
    # the first began before what is drawn: a third of the width of 100 ms
    assert [box.attrib["width"] for box in boxes] == ["150.0", "120.0"]
    strokes = [path.attrib["d"] for path in drawn.iter(f"{SVG}path") if "v16" in path.attrib["d"]]
    assert [len(re.findall("M", stroke)) for stroke in strokes] == [2, 1]


def test_a_terminal_gets_what_was_measured_and_nothing_else():
    text = render(STORED)
    assert f"{STORED['cores']} cores" in text
    assert "reaction in us" in text and "closed loop" in text
    assert "closed loop" not in render({"cores": 2, "slots": STORED["slots"]})
    assert render(json.loads(json.dumps(STORED))) == text
