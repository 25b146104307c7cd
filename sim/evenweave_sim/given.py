"""Reads files of --plan: earlier output of ./evenweave plan or ./evenweave schedule."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from evenweave_sim.experiment import BadInput
from evenweave_sim.files import text_of

# Maximum nesting of objects and lists; a plan has six levels.
_MOST_LEVELS = 32
_MOST = 2**63 - 1


def read_plan(path: Path) -> dict[str, Any]:
    """Reads a plan, whose fabric and groups the simulator checks."""
    [plan] = _read(path, [text_of(path)])
    if not isinstance(plan, dict):
        raise BadInput(f"{path}: must be the output of ./evenweave plan")
    summary = plan.get("summary", [])
    if not (isinstance(summary, list) and all(_has_entries(switch) for switch in summary)):
        raise BadInput(f"{path}: summary: must have the entries of each switch")
    return plan


def read_weeks(path: Path) -> list[dict[str, Any]]:
    """Reads output of ./evenweave schedule: a week per line."""
    weeks = _read(path, text_of(path).splitlines())
    if not weeks or not all(isinstance(week, dict) and "days" in week for week in weeks):
        raise BadInput(f"{path}: must be output of ./evenweave schedule")
    return weeks


def _read(path: Path, documents: list[str]) -> list[Any]:
    try:
        found = [
            json.loads(document, parse_int=_whole, parse_constant=_whole) for document in documents
        ]
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from error
    except RecursionError:
        found = None
    if found is None or not _is_shallow(found):
        raise BadInput(f"{path}: has more than {_MOST_LEVELS} levels of objects and lists")
    return found


def _whole(text: str) -> int:
    """Reads a number within the simulator's range; refuses NaN and Infinity, which are not JSON."""
    try:
        number = int(text)
    except ValueError:
        number = _MOST + 1
    if abs(number) > _MOST:
        raise ValueError(f"{text} is not a number from -2^63 to 2^63 - 1")
    return number


def _is_shallow(documents: list[Any]) -> bool:
    values: Iterable[Any] = documents
    for _ in range(_MOST_LEVELS + 1):
        values = [inner for value in values for inner in _members(value)]
    return not values


def _members(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()


def _has_entries(switch: Any) -> bool:
    return isinstance(switch, dict) and isinstance(switch.get("entries"), int | float)
