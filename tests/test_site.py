"""The documentation builds as a site, without a broken link."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
_HANG_S = 600.0


def build(configuration: Path, site: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict"]
    return subprocess.run(
        [*command, "-f", str(configuration), "-d", str(site)],
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        timeout=_HANG_S,
        check=False,
    )


def test_the_site_builds_and_every_page_is_in_it(tmp_path):
    done = build(ROOT / "mkdocs.yml", tmp_path / "site")
    assert done.returncode == 0, done.stderr
    pages = {page.relative_to(ROOT / "docs") for page in (ROOT / "docs").glob("**/*.md")}
    built = {page.relative_to(tmp_path / "site") for page in (tmp_path / "site").glob("**/*.html")}
    made = {page.with_suffix(".html") for page in pages}
    assert {p.with_name("index.html") if p.stem == "README" else p for p in made} <= built
    texts = {page: (tmp_path / "site" / page).read_text() for page in built}
    unmade = [str(page) for page, text in texts.items() if re.search(r"<p>.*</a> #+ ", text)]
    assert not unmade, "a heading stands in a paragraph"


@pytest.mark.parametrize(
    ("link", "warning"),
    [
        ("[gone](gone.md)", "gone.md"),
        ("[gone](#gone)", "#gone"),
        ("[outside](../gone.txt)", "../gone.txt"),
        ("[in the tree](../tests/run.py), [a folder](../docs/schema)", None),
    ],
)
def test_a_broken_link_fails_the_build(tmp_path, link, warning):
    docs = tmp_path / "docs"
    (docs / "schema").mkdir(parents=True)
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests/run.py").touch()
    (docs / "index.md").write_text(f"# Page\n\n{link}\n")
    hook = (ROOT / "docs/site_links.py").read_text()
    (docs / "site_links.py").write_text(hook)
    lines = (ROOT / "mkdocs.yml").read_text().partition("nav:")[0]
    (tmp_path / "mkdocs.yml").write_text(lines.replace("name: material", "name: mkdocs"))
    done = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    if warning is None:
        assert done.returncode == 0, done.stderr
        assert "Page" in (tmp_path / "site/index.html").read_text()
    else:
        assert done.returncode != 0
        assert warning in done.stderr
