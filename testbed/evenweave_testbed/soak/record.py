"""A file with the results of whole fabrics, from which an interrupted run is continued.

The first line has what the run is; each other one a fabric: what was found there, and the kinds of
faults that the next fabric begins with.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from evenweave_testbed.soak.report import Report


class RecordError(RuntimeError):
    """The file is not a record of this run."""


class Record:
    """The fabrics that are done, from the first one on."""

    def __init__(self, path: Path, run: Mapping) -> None:
        """Reads a file, or begins it if it is missing. `run`: what has to be the same, as JSON.

        Raises RecordError if it is another run's, or no record; OSError if it cannot be used.
        """
        self._path = path
        self.fabrics: list[Report] = []
        self.deck: list[str] = []
        """The kinds of faults that the next fabric begins with."""
        text = path.read_text() if path.exists() else ""
        # Of a line that was being written when the machine stopped, the end is missing.
        lines = text[: text.rfind("\n") + 1].splitlines()
        if not lines:
            path.write_text(json.dumps(run) + "\n")
            return
        try:
            found, *whole = map(json.loads, lines)
            self.fabrics = [Report.from_record(line["report"]) for line in whole]
            self.deck = list(whole[-1]["deck"]) if whole else []
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{path} is not a record of a soak: {error!r}") from error
        if found != run:
            raise RecordError(
                f"{path} is the record of another run: it has {json.dumps(found)}, not "
                f"{json.dumps(run)}; name another file, or continue that run"
            )
        if not text.endswith("\n"):
            path.write_text("".join(line + "\n" for line in lines))

    def add(self, fabric: Report, deck: Sequence[str]) -> None:
        """Appends a fabric that is done."""
        self.fabrics.append(fabric)
        self.deck = list(deck)
        with self._path.open("a") as file:
            file.write(json.dumps({"report": fabric.to_record(), "deck": self.deck}) + "\n")
