"""Charts: a distinct line for each scheme, and a legend within the drawing."""

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from evenweave_sim import chart, distribution, experiment, page, rows

SVG = "{http://www.w3.org/2000/svg}"
MANY = [f"scheme-{i:02}, uneven, bursts" for i in range(24)]


def found(schemes: list[str], points: list[float], metrics: list[str]) -> list[dict]:
    return [
        {"scheme": s, "load": p, "metric": m, "value": p + n, "ci95": None}
        for p in points
        for s in schemes
        for n, m in enumerate(metrics)
    ]


def texts(drawn: ElementTree.Element) -> set[str | None]:
    return {text.text for text in drawn.iter(f"{SVG}text")}


def test_the_chart_has_a_line_for_each_scheme():
    schemes = ["ecmp", "clove-ecn", "conga"]
    of = found(schemes, [0.7, 0.8], ["avgFct"])
    drawn = ElementTree.fromstring(chart.chart("<Clove>", of, "load", ["avgFct"]))
    lines = drawn.findall(f"{SVG}polyline")
    assert [len(line.attrib["points"].split()) for line in lines] == [2, 2, 2]
    assert {"<Clove>", *schemes, "0.7", "0.8"} <= texts(drawn)


def test_the_chart_is_of_the_first_metric_that_has_something_to_draw():
    """A run may end before a metric has a value, or all values may be 0 or below."""
    of = [{"scheme": "ecmp", "load": 0.7, "metric": "lost", "value": 0.0}]
    of.append({"scheme": "ecmp", "load": 0.7, "metric": "avgFct", "value": 3.0})
    assert ">avgFct<" in chart.chart("", of, "load", ["settleMs", "lost", "avgFct"])
    nothing = chart.chart("", of, "load", ["settleMs", "lost"])
    assert "nothing above 0" in ElementTree.fromstring(nothing)[2].text


def test_points_of_schemes_that_share_a_colour_differ():
    """A scheme that ran at one load has only a point, and no line with visible dashes."""
    of = found(MANY, [0.7], ["avgFct"])
    drawn = ElementTree.fromstring(chart.chart("", of, "load", ["avgFct"]))
    in_plot_and_legend = 2
    circles, polygons = drawn.findall(f"{SVG}circle"), drawn.findall(f"{SVG}polygon")
    assert len(circles) + len(polygons) == in_plot_and_legend * len(MANY)
    looks = [(c.attrib["fill"], 0) for c in circles]
    looks += [(p.attrib["fill"], len(p.attrib["points"].split())) for p in polygons]
    assert {looks.count(look) for look in looks} == {in_plot_and_legend}


@pytest.mark.parametrize("low, high", [(1, 1.05), (0.97, 4.2), (3, 8), (0.1, 90), (2.5, 2.5)])
def test_the_ordinate_has_three_marks_at_least(low, high):
    of = [{"scheme": "ecmp", "load": x, "metric": "m", "value": x} for x in (low, high)]
    drawn = ElementTree.fromstring(chart.chart("", of, "load", ["m"]))
    lines = [p for p in drawn.findall(f"{SVG}path") if p.attrib["stroke"] == "#dddddd"]
    assert len(lines) >= 3


def test_a_chart_may_be_of_what_schemes_take_by_one_of_them():
    """As in ALB's figures, in which ALB is 1. ALB has not run at 0.8."""
    chosen = replace(experiment.load("alb-web-search"), shown=["avgFct"])
    assert chosen.drawn_over == "alb"
    seeds = [{"alb": {"avgFct": 2.0}, "ecmp": {"avgFct": n}} for n in (3.0, 5.0)]
    runs = {0.6: seeds, 0.8: [{"ecmp": {"avgFct": 9.0}}] * 2}
    over = rows.ratios(runs, "load", ["avgFct"], "alb")
    assert [(r["scheme"], r["load"], r["value"]) for r in over] == [
        ("alb", 0.6, 1),
        ("ecmp", 0.6, 2),
    ]
    drawn = page.picture(chosen, rows.result(chosen, {0.6: 9, 0.8: 9}, runs), runs)
    assert ">avgFct over alb's<" in drawn
    assert page.picture(replace(chosen, drawn_over="conga"), {"rows": over}, runs).count(">avgFct<")


def test_a_distribution_has_a_panel_for_each_point_and_a_line_for_each_scheme():
    of = found(["ecmp", "wcmp"], [8, 9], [f"p{p}Rate" for p in rows.PERCENTILES])
    drawn = ElementTree.fromstring(
        distribution.distribution("<WCMP>", of, "load", distribution.BANDWIDTH)
    )
    lines = list(drawn.iter(f"{SVG}polyline"))
    assert [len(line.attrib["points"].split()) for line in lines] == [len(rows.PERCENTILES)] * 4
    assert {"<WCMP>", "load 8", "load 9", "ecmp", "wcmp", "17"} <= texts(drawn)


def test_a_distribution_of_small_flows_goes_through_the_percentiles_of_their_times():
    of = found(["ecmp", "conga"], [0.7], [f"p{p}FctSmall" for p in rows.FCT_PERCENTILES])
    drawn = ElementTree.fromstring(
        distribution.distribution("Clove", of, "load", distribution.SMALL_FLOWS)
    )
    lines = list(drawn.iter(f"{SVG}polyline"))
    assert [len(line.attrib["points"].split()) for line in lines] == [len(rows.FCT_PERCENTILES)] * 2


def test_points_of_an_axis_may_be_texts():
    of = [
        {"what": what, "scheme": "one", "metric": f"p{p}Us", "value": float(p)}
        for what in ("<on>", "off")
        for p in (0, 50)
    ]
    drawn = ElementTree.fromstring(
        distribution.distribution("", of, "what", distribution.Drawn((0, 50), "Us", "us"))
    )
    assert {"<on>", "off", "us", "one"} <= texts(drawn)


def drawn_by_lines() -> str:
    return chart.chart("", found(MANY, [0.7, 0.8], ["avgFct"]), "load", ["avgFct"])


def drawn_as_a_distribution() -> str:
    of = found(MANY, [0.7], [f"p{p}Rate" for p in rows.PERCENTILES])
    return distribution.distribution("", of, "load", distribution.BANDWIDTH)


@pytest.mark.parametrize("draw", [drawn_by_lines, drawn_as_a_distribution])
def test_many_schemes_have_lines_of_their_own_and_a_legend_within_the_drawing(draw):
    drawn = ElementTree.fromstring(draw())
    lines = drawn.findall(f"{SVG}polyline")
    styles = {(x.attrib["stroke"], x.attrib.get("stroke-dasharray")) for x in lines}
    assert len(styles) == len(lines) == len(MANY)
    width, height = map(float, drawn.attrib["viewBox"].split()[2:])
    names = [text for text in drawn.iter(f"{SVG}text") if text.text in MANY]
    assert len(names) == len(MANY)
    for name in names:
        assert float(name.attrib["y"]) < height
        assert float(name.attrib["x"]) + 6 * len(name.text or "") < width
