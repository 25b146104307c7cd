import importlib.util
from pathlib import Path

import pytest

from evenweave_bench.traffic.command import markdown
from evenweave_bench.traffic.matrices import MATRICES, UNIT_BPS
from evenweave_bench.traffic.measure import utilisation
from evenweave_testbed.demand import FRAME_BYTES
from evenweave_topos.fabric_file import IMBALANCED_3X3, load

COMPUTED = Path(__file__).resolve().parents[3] / "docs/reproduction/traffic_aware.py"


def test_the_matrices_are_those_of_the_computed_figures():
    spec = importlib.util.spec_from_file_location("traffic_aware", COMPUTED)
    computed = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(computed)
    network = computed.FABRICS["imbalanced 3x3"]
    for name, matrix in MATRICES.items():
        assert matrix == computed.MATRICES[name.replace("-", " ")](network)
        assert all(bps % UNIT_BPS == 0 for bps in matrix.values())


def test_utilisation_is_that_of_the_fullest_link_if_all_of_the_matrix_were_sent():
    spec = load(IMBALANCED_3X3)
    packets = 1000
    idle = {(end.switch, end.port): 0 for link in spec.links for end in (link.a, link.b)}
    loads = idle | {("s1-0", 1): 300 * FRAME_BYTES, ("s2-0", 3): 250 * FRAME_BYTES}
    matrix = {("s1-0", "s1-1"): 20_000_000_000}
    assert utilisation(spec, (loads, packets), matrix) == pytest.approx(0.6)


def test_the_table_has_a_line_for_each_matrix_and_says_where_nothing_changed():
    row = {
        "matrix": "hot-spot",
        "reweighted": True,
        "wcmp": {"computed": 0.5, "live": 0.5},
        "traffic": {"computed": 0.38, "live": 0.4},
    }
    lines = markdown([row, row | {"matrix": "permutation", "reweighted": False}]).splitlines()
    assert lines[2] == "| hot-spot | 0.500 | 0.500 | 0.380 | 0.400 | 0.800 |"
    assert lines[3].startswith("| permutation, weights stay |")
