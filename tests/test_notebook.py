"""The notebook runs as it is published and computes what the page has."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from jvm import JAVA
from runtimes import JAR, ROOT

NOTEBOOK = ROOT / "docs/reproduction/figure-3.12.ipynb"
PAGE = NOTEBOOK.with_suffix(".md")
# A hang guard: it computes for half a minute on an idle machine.
_HANG_S = 1800


def rows_of_page() -> dict[int, list[list[int]]]:
    """By size: the number of S1 switches, and the entries without sharing for each limit."""
    return {
        int(size): [
            [int(cell) for cell in line.strip("| ").split("|")[:4]]
            for line in re.findall(r"^\| \d.*$", table, re.M)
        ]
        for size, table in re.findall(
            r"^### N = (\d+).*?$(.*?)(?=^###|\Z)", PAGE.read_text(), re.M | re.S
        )
    }


def test_the_notebook_is_published_without_results() -> None:
    nbformat = pytest.importorskip("nbformat")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    assert not any(cell.get("outputs") for cell in notebook.cells)


@pytest.mark.extended
def test_the_notebook_computes_the_figure_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nbclient = pytest.importorskip("nbclient", reason="python/requirements.txt is not installed")
    import nbformat

    command = tmp_path / "evenweave"
    command.write_text("#!/bin/sh\nexec " + " ".join([*JAVA, "-jar", str(JAR)]) + ' "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("EVENWEAVE", str(command))
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'python'}:{ROOT / 'mininet-topos'}")
    monkeypatch.setenv("JUPYTER_PATH", str(Path(sys.prefix) / "share/jupyter"))
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=_HANG_S).execute()
    printed = notebook.cells[-1].outputs[0].text
    found = {
        int(size): [[int(word) for word in line.split()] for line in lines.splitlines()]
        for size, lines in re.findall(r"N = (\d+)\n((?: *\d.*\n)+)", printed)
    }
    assert found == rows_of_page()
    figures = [
        output
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if "image/png" in output.get("data", {})
    ]
    assert len(figures) == 3
