"""Runs the missing cases of an experiment in parallel with Snakemake.

A campaign has a folder. `cases/` has the simulator's input, `runs/` its answers. Files are named by
scheme, point, seed and the digest of everything on which the answer depends. An interrupted command
thus continues where it stopped, and an answer is never used for another case or another simulator.
A folder serves one command at a time."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from evenweave_sim import plans as other_plans
from evenweave_sim.experiment import FOLDER, BadInput, Experiment, Size, merged
from evenweave_sim.files import Failed, part_of, write
from evenweave_sim.results import Runs
from evenweave_sim.rows import metrics

_WORKFLOW = FOLDER / "workflow" / "Snakefile"
_POLL_SECONDS = 0.3
_FULL_BYTES, _FULL_FILES = 64 * 1024, 8  # if less is free, a failure is due to lack of space


@dataclass(frozen=True)
class Tools:
    simulator: list[str]  # reads a case as JSON, writes an answer as JSON
    planner: list[str]  # ./evenweave plan
    snakemake: list[str]
    scheduler: list[str]  # ./evenweave schedule


@dataclass(frozen=True)
class Case:
    scheme: str
    point: float  # of the experiment's axis
    seed: int
    name: str  # base name of its files
    what: str  # description for the user


# The planners' answers for each scheme at each point of the experiment's axis, in the form of the
# case: its "plan", or the weeks of hosts with libsdd.
Plans = dict[tuple[str, float], dict[str, Any]]


def make_plans(
    tools: Tools, experiment: Experiment, schemes: Sequence[str], points: Sequence[float]
) -> Plans:
    """Returns every switch's groups and flows, as the controller would install them; none for hosts
    with libsdd, since the simulator requests weeks during the run."""
    cases = [(scheme, point) for scheme in schemes for point in points]
    if experiment.fabric is None:
        return {case: {} for case in cases}
    asked = {case: json.dumps(experiment.plan_question(*case)) for case in cases}
    questions = list(dict.fromkeys(asked.values()))
    by_question = dict(zip(questions, _answers(tools.planner, questions), strict=True))
    return {
        (scheme, point): {
            "plan": _as_planned(tools, experiment.planned(scheme), by_question[question])
        }
        for (scheme, point), question in asked.items()
    }


def make_plan(tools: Tools, fabric: dict[str, Any]) -> dict[str, Any]:
    return _answers(tools.planner, [json.dumps(fabric)])[0]


def _answers(command: list[str], questions: Sequence[str]) -> list[dict[str, Any]]:
    """Returns an offline tool's answers, line by line."""
    done = _ask(command, *questions)
    try:
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if len(answers) != len(questions):
            raise ValueError("no plan")
    except ValueError as error:
        raise Failed(f"plan: {done.stderr.strip() or f'status {done.returncode}'}") from error
    for answer in answers:
        if "error" in answer:
            raise Failed(f"plan: {answer['error']}")
    return answers


def _as_planned(tools: Tools, planned: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    """Returns the plan, with other groups than the controller's if the scheme needs them."""
    if "fit" in planned:
        return other_plans.fitted(plan, planned["table"])
    if "traffic" in planned:
        weights = [*tools.planner[:-1], "weights"]  # the sibling tool of ./evenweave plan
        question = json.dumps(other_plans.weights_question(plan["fabric"]))
        return other_plans.with_weights(plan, _answers(weights, [question])[0])
    return plan


def run(
    tools: Tools,
    experiment: Experiment,
    schemes: Sequence[str],
    size: Size,
    plans: Plans,
    folder: Path,
    jobs: int,
    say: Callable[[str], None],
) -> Runs:
    """Returns the metrics of each scheme, by point and seed. For a seed all schemes have the same
    flows.

    plans: earlier answers of planners. jobs: the number of concurrent cases."""
    after = make_plan(tools, experiment.left) if experiment.left else None
    program = _digest(Path(tools.simulator[-1]).read_bytes())
    if experiment.fabric is None:
        # The simulator itself runs the scheduler.
        program += _digest(b"".join(_files_of(tools.scheduler)))
        asks = ["--planner", shlex.join(tools.scheduler)]
        tools = replace(tools, simulator=[*tools.simulator, *asks])
    asked = {}
    for point in size.points:
        for seed in range(1, size.seeds + 1):
            for scheme in schemes:
                question = _question(experiment, plans, after, scheme, point, seed, size)
                text = json.dumps(question, sort_keys=True) + "\n"
                of = scheme.replace(", ", "-")  # for file names
                name = f"{of}-{point:g}-{seed}-{_digest((program + text).encode())}"
                what = f"{scheme}, {experiment.axis} {point:g}, seed {seed}"
                asked[Case(scheme, point, seed, name, what)] = text
    _check(tools, experiment, schemes, size, plans, after)
    leaf = _leaf(experiment)
    found: Runs = {point: [{} for _ in range(size.seeds)] for point in size.points}
    with _locked(folder):
        measured = {case: _measured(folder, case, leaf, experiment) for case in asked}
        missing = [case for case in asked if measured[case] is None]
        if missing:
            _run_missing(tools, asked, missing, folder, jobs, say)
        for case in asked:
            run = measured[case]
            if run is None:
                run = _measured(folder, case, leaf, experiment)
            if run is None:
                raise Failed(f"{case.what}: the simulator's answer is not a result")
            if experiment.are_long:
                run |= _entries(plans[case.scheme, case.point]["plan"])
            if experiment.length_metric:
                run[experiment.length_metric] = experiment.length_in(json.loads(asked[case]))
            found[case.point][case.seed - 1][case.scheme] = run
    return found


def explain(
    tools: Tools,
    experiment: Experiment,
    scheme: str,
    size: Size,
    plans: Plans,
    file: Path,
) -> Runs:
    """Runs the case of seed 1 at the only point. The simulator writes the reason for each flowlet's
    path into the file."""
    [point] = size.points
    after = make_plan(tools, experiment.left) if experiment.left else None
    question = json.dumps(_question(experiment, plans, after, scheme, point, 1, size))
    part = part_of(file)
    try:
        done = _ask([*tools.simulator, "--explain", str(part)], question)
        if done.returncode == 2:
            raise BadInput(done.stderr.strip())
        if done.returncode != 0:
            raise Failed(
                done.stderr.strip() or f"the simulator exited with status {done.returncode}"
            )
        part.replace(file)
    except OSError as error:
        raise Failed(f"{file}: {error.strerror}") from error
    finally:
        part.unlink(missing_ok=True)
    found = metrics(json.loads(done.stdout), _leaf(experiment), experiment.by_size, False)
    return {point: [{scheme: found}]}


def _leaf(experiment: Experiment) -> str:
    """Returns the first switch with hosts."""
    switches = experiment.fabric["switches"] if experiment.fabric else []
    return next((s["id"] for s in switches if s["stage"] == 1), "")


def _measured(
    folder: Path, case: Case, leaf: str, experiment: Experiment
) -> dict[str, float] | None:
    """Returns the metrics of an existing answer; None if it is missing or incomplete, as after a
    power failure."""
    try:
        answer = json.loads(_answer(folder, case).read_text())
        small_flows = experiment.drawn == "distribution" and not experiment.are_long
        return metrics(answer, leaf, experiment.by_size, small_flows)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None


def _question(
    experiment: Experiment,
    plans: Plans,
    after: dict[str, Any] | None,
    scheme: str,
    point: float,
    seed: int,
    size: Size,
) -> dict[str, Any]:
    case = merged(experiment.case_of(scheme, point, seed, size.flows), size.case)
    if after:
        case = merged(case, {"failure": {"plan": after}})
    return merged(case, plans[scheme, point])


def _entries(plan: dict[str, Any]) -> dict[str, float]:
    """Returns the maximum number of multipath table entries of a switch; none for a plan without a
    summary."""
    entries = [float(switch["entries"]) for switch in plan.get("summary", [])]
    return {"entries": max(entries)} if entries else {}


def _check(
    tools: Tools,
    experiment: Experiment,
    schemes: Sequence[str],
    size: Size,
    plans: Plans,
    after: dict[str, Any] | None,
) -> None:
    """Lets the simulator check a case of each scheme before anything is written."""
    for scheme in schemes:
        question = _question(experiment, plans, after, scheme, size.points[0], 1, size)
        done = _ask([*tools.simulator, "--check"], json.dumps(question))
        if done.returncode == 2:
            raise BadInput(done.stderr.strip())


def _run_missing(
    tools: Tools,
    asked: dict[Case, str],
    missing: list[Case],
    folder: Path,
    jobs: int,
    say: Callable[[str], None],
) -> None:
    for case in missing:
        _answer(folder, case).unlink(missing_ok=True)
        write(folder / "cases" / f"{case.name}.json", asked[case])
    campaign = {"simulator": shlex.join(tools.simulator), "runs": [case.name for case in asked]}
    write(folder / "campaign.json", json.dumps(campaign) + "\n")
    if len(missing) < len(asked):
        say(f"{len(asked) - len(missing)} of {len(asked)} runs are in {folder}")
    try:
        if _snakemake(tools, folder, jobs, missing, len(asked), say) != 0:
            raise Failed(_reason(folder, missing))
    finally:
        for part in folder.glob("runs/*.part"):
            part.unlink()


def _snakemake(
    tools: Tools,
    folder: Path,
    jobs: int,
    waiting: list[Case],
    cases: int,
    say: Callable[[str], None],
) -> int:
    """Runs Snakemake and prints which runs are done."""
    command = [*tools.snakemake, "--snakefile", str(_WORKFLOW), "--directory", str(folder)]
    # The folder is locked already; the digest in its name shows whether an answer is current.
    command += ["--cores", str(jobs), "--nolock", "--rerun-incomplete", "--rerun-triggers", "mtime"]
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / ".snakemake")}
    with (folder / "snakemake.log").open("w") as log:
        workflow = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            env=environment,
            start_new_session=True,
            close_fds=False,  # keeps the folder's lock even if this process is killed
        )
    waiting = list(waiting)
    try:
        while True:
            ended = workflow.poll() is not None
            for case in [c for c in waiting if _answer(folder, c).exists()]:
                waiting.remove(case)
                done = f"{cases - len(waiting)} of {cases}"
                say(f"{done}: {case.what}")
            if ended:
                return workflow.returncode
            with suppress(subprocess.TimeoutExpired):
                workflow.wait(_POLL_SECONDS)
    finally:
        # The simulator's processes are in the same session.
        if workflow.poll() is None:
            os.killpg(workflow.pid, signal.SIGTERM)
            try:
                workflow.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(workflow.pid, signal.SIGKILL)
                workflow.wait()


def _reason(folder: Path, missing: list[Case]) -> str:
    """Returns the reason for Snakemake's failure in one line."""
    for case in missing:
        log = folder / "runs" / f"{case.name}.log"
        if log.exists() and (text := log.read_text().strip()):
            return f"{case.what}: {text.splitlines()[-1]}"
    disk = os.statvfs(folder)
    if disk.f_bavail * disk.f_frsize < _FULL_BYTES or (
        disk.f_files and disk.f_favail < _FULL_FILES
    ):
        return f"no space left in {folder}"
    return f"a run failed; see {folder}/snakemake.log"


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("w")
    except OSError as error:
        raise Failed(f"{folder} cannot be written: {error.strerror}") from error
    with lock:
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Failed(f"another command runs in {folder}") from error
        try:
            yield
        except OSError as error:
            raise Failed(f"{error.filename or folder}: {error.strerror}") from error


def _answer(folder: Path, case: Case) -> Path:
    return folder / "runs" / f"{case.name}.json"


def _files_of(command: list[str]) -> Iterator[bytes]:
    """Yields the contents of files among the words of a command, such as a jar."""
    return (Path(word).read_bytes() for word in command[1:] if Path(word).is_file())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _ask(command: list[str], *questions: str) -> subprocess.CompletedProcess[str]:
    text = "".join(question + "\n" for question in questions)
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)
