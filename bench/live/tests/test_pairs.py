import sys
from collections import Counter

import pytest

from evenweave_bench.pairs.command import ToolError, fabric, measure

PRINTS = (
    "import sys; sys.stdin.read(); print('x' * {padding} + '\"maxFlowBps\":1' * {pairs}, end='')"
)


def tool(pairs, padding):
    """Something that prints so many pairs; -Xmx... goes where Java's options do."""
    return [sys.executable, "-c", PRINTS.format(pairs=pairs, padding=padding)]


@pytest.fixture(autouse=True)
def _no_heap(monkeypatch):
    monkeypatch.setattr("evenweave_bench.pairs.command.heap", list)


def test_the_fabric_is_five_rings_through_all_switches():
    ends = Counter()
    for link in fabric(12, 3)["links"]:
        ends[link["a"].split("/")[0]] += 1
        ends[link["b"].split("/")[0]] += 1
    assert set(ends.values()) == {10}
    assert fabric(12, 3) == fabric(12, 3) != fabric(12, 4)


def test_pairs_are_counted_wherever_the_text_is_cut():
    for padding in (0, (1 << 20) - 5, (1 << 20) - 12):
        case = measure(tool(pairs=12, padding=padding), fabric(4, 1), longer=True)
        assert (case.paths, case.pairs) == ("all", 12)
        assert case.answerBytes == padding + 12 * len('"maxFlowBps":1')


def test_an_answer_that_lacks_pairs_is_a_failure():
    with pytest.raises(ToolError, match="11 of 12 pairs"):
        measure(tool(pairs=11, padding=0), fabric(4, 1), longer=False)
