"""Reading stored runs: all or some, only those of the experiment, and only complete ones."""

import pytest

from evenweave_sim import experiment, files, results

CHOSEN = experiment.load("clove-asymmetric")
RUNS = {
    load: [{s: {"avgFct": float(seed * len(s))} for s in ("ecmp", "conga")} for seed in (1, 2, 3)]
    for load in (0.5, 0.7)
}
FLOWS = {0.5: 20, 0.7: 60}
HEAD = "scheme,load,seed,flows,avgFct,drops\n"


def written(tmp_path, text: str):
    path = tmp_path / "runs.csv"
    path.write_text(text)
    return path


def test_runs_that_are_read_back_are_the_same(tmp_path):
    path = written(tmp_path, files.runs_csv(CHOSEN, FLOWS, RUNS))
    assert results.read_runs([path], CHOSEN) == (FLOWS, RUNS)


def test_pieces_of_a_campaign_are_read_together(tmp_path):
    pieces = [tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "c.csv"]
    parts = [
        {0.7: [{"conga": run["conga"]} for run in RUNS[0.7]]},
        {0.5: RUNS[0.5]},
        {0.7: [{"ecmp": run["ecmp"]} for run in RUNS[0.7]]},
    ]
    for path, part in zip(pieces, parts, strict=True):
        path.write_text(files.runs_csv(CHOSEN, FLOWS, part))
    flows, runs = results.read_runs(pieces, CHOSEN)
    assert (flows, runs) == (FLOWS, RUNS)
    assert list(runs) == [0.5, 0.7]
    assert list(runs[0.7][0]) == ["ecmp", "conga"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        (HEAD, "has no runs"),
        (HEAD + "ecmp,0.5,1,20,1,2\n", "line 2: the second run of ecmp, load 0.5, seed 1"),
        (HEAD + "alb,0.5,1,61,1,2\n", "line 2: has 61 flows, not 20 as others at 0.5"),
        (HEAD + "alb,0.5,1,20,1,2\n", "line 2: the file ends without alb, load 0.5, seed 2"),
    ],
)
def test_pieces_that_do_not_go_together_are_refused(tmp_path, text, error):
    first, second = tmp_path / "a.csv", written(tmp_path, text)
    first.write_text(files.runs_csv(CHOSEN, FLOWS, RUNS))
    with pytest.raises(experiment.BadInput) as refused:
        results.read_runs([first, second], CHOSEN)
    assert str(refused.value) == f"{second}: {error}"


def test_some_of_the_runs_can_be_chosen():
    assert results.chosen_runs("a.csv", RUNS, None, None, None) == RUNS
    some = results.chosen_runs("a.csv", RUNS, ["conga"], [0.7], 2)
    assert some == {0.7: [{"conga": run["conga"]} for run in RUNS[0.7][:2]]}


@pytest.mark.parametrize(
    ("schemes", "points", "seeds", "error"),
    [
        (["alb"], None, None, 'has no runs of "alb" at 0.5'),
        (None, [0.8], None, "has no runs at 0.8"),
        (None, None, 4, "has 3 seeds at 0.5, not 4"),
    ],
)
def test_runs_that_are_not_there_are_not_chosen(schemes, points, seeds, error):
    with pytest.raises(experiment.BadInput) as refused:
        results.chosen_runs("a.csv", RUNS, schemes, points, seeds)
    assert str(refused.value) == f"a.csv: {error}"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", "has no runs"),
        (HEAD, "has no runs"),
        ("scheme,load\necmp,0.7\n", 'line 1: no column "seed", which clove-asymmetric requires'),
        (
            "scheme,fanout,seed,flows\necmp,16,1,60\n",
            'line 1: no column "load", which clove-asymmetric requires',
        ),
        (HEAD + "os,0.7,1,60,1,2\n", 'line 2: clove-asymmetric has no scheme "os"'),
        (
            f"experiment,{HEAD}clove-symmetric,ecmp,0.7,1,60,1,2\n",
            "line 2: belongs to clove-symmetric, not to clove-asymmetric",
        ),
        (HEAD + "ecmp,0.7,1,60,1,2\necmp,0.7,2,60,3", "line 3: is truncated"),
        (HEAD + "ecmp,0.7,1,60,1,2\necmp,0.7,2,60,3,2", "line 3: is truncated"),
        (
            HEAD + "ecmp,0.7,1,60,1,2\nconga,0.7,1,60,1,2\necmp,0.7,2,60,1,2\n",
            "line 4: the file ends without conga, load 0.7, seed 2",
        ),
        (
            HEAD + "ecmp,0.7,2,60,1,2\n",
            "line 2: the file ends without ecmp, load 0.7, seed 1",
        ),
        (
            HEAD + "ecmp,0.7,1,60,1,2\necmp,0.7,1,60,1,2\n",
            "line 3: the second run of ecmp, load 0.7, seed 1",
        ),
        (
            HEAD + "ecmp,0.7,1,60,1,2\necmp,0.7,2,61,1,2\n",
            "line 3: has 61 flows, not 60 as others at 0.7",
        ),
        (HEAD + "ecmp,0.7,0,60,1,2\n", 'line 2: seed must be from 1 to 1000, not "0"'),
        (HEAD + "ecmp,0.7,1e9,60,1,2\n", 'line 2: seed must be from 1 to 1000, not "1e9"'),
        (
            "scheme,load,seed,flows\necmp,0.7,1,60\n",
            'line 1: no column "avgFct", which clove-asymmetric requires',
        ),
        (HEAD.replace("drops", "avgFct"), 'line 1: more than one column "avgFct"'),
        ("\ufeff" + HEAD, "line 1: column '\\ufeffscheme' has unprintable characters"),
        (HEAD + "ecmp,0.7,1,60,,\n", "line 2: has no metrics"),
        (HEAD + "ecmp,7,1,60,1,2\n", "line 2: load must be from 0.01 to 1, not 7"),
        (HEAD + "ecmp,nan,1,60,1,2\n", 'line 2: load must be a number, not "nan"'),
        (HEAD + "ecmp,0.7,1,60,inf,2\n", 'line 2: avgFct must be a number, not "inf"'),
        (HEAD + "ecmp,0.7,1,60,-1,2\n", "line 2: avgFct must be 0 or more, not -1"),
    ],
)
def test_another_file_or_a_part_of_one_is_refused(tmp_path, text, error):
    path = written(tmp_path, text)
    with pytest.raises(experiment.BadInput) as refused:
        results.read_runs([path], CHOSEN)
    assert str(refused.value) == f"{path}: {error}"


def test_files_of_earlier_versions_do_not_say_whose_they_are(tmp_path):
    path = written(tmp_path, HEAD + "ecmp,0.7,1,60,1,2\n")
    assert results.read_runs([path], CHOSEN) == (
        {0.7: 60},
        {0.7: [{"ecmp": {"avgFct": 1, "drops": 2}}]},
    )


def test_a_scheme_is_chosen_under_all_its_conditions():
    chosen = experiment.load("beyond-which")
    assert chosen.chosen("alb") == [f"alb, {condition}" for condition in chosen.conditions]
    assert chosen.chosen("hula") == []
    assert CHOSEN.chosen("conga") == ["conga"]
