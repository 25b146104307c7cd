"""Lists in CONTRIBUTING.md what only `./evenweave test all` runs.

usage: extended_tests.py    rewrites the list; a test checks that it is current
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "CONTRIBUTING.md"
_BEGIN = "<!-- Written by tests/extended_tests.py. -->\n"
_END = "<!-- end -->\n"
# What is no test of Python.
_OTHERS = """\
| Java | Error Prone; all tries of properties, in `test` a tenth; Jazzer, 20 s a parser |
| `host/` | clang-tidy, the builds with sanitizers, libFuzzer |
| `sim/tests/*.cpp` | all schemes and repetitions, in `test` a tenth; two comparisons of means |
| all | the tests on ONOS |
"""


def page() -> str:
    """The page with the list as it should be."""
    text = PAGE.read_text()
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return before + _BEGIN + table() + _END + after


def table() -> str:
    rows = ["| module | only in `test all` |\n|---|---|\n", _OTHERS]
    for module in sorted(ROOT.glob("*/**/test_*.py")):
        if moved := extended(module.read_text()):
            rows.append(f"| `{module.relative_to(ROOT)}` | {moved} |\n")
    return "".join(rows)


def extended(text: str) -> str:
    """What of a module is left out, in words; empty if nothing is."""
    tests = len(re.findall(r"^def test_", text, re.MULTILINE))
    whole = len(re.findall(r"^@pytest.mark.extended$", text, re.MULTILINE))
    cases = len(re.findall(r"^@pytest.mark.core_cases\(", text, re.MULTILINE))
    parts = [f"{whole} of {tests} tests"] if whole else []
    parts += [f"further cases of {cases}"] if cases else []
    return ", ".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page())
