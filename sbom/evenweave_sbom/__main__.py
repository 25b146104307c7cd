"""`python -m evenweave_sbom`: writes a bill of materials for each artefact that is built."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from cyclonedx.model.bom import Bom

from evenweave_sbom import java, native, npm, python
from evenweave_sbom.document import ROOT, SbomError, write

_EPILOG = """\
files:
  evenweave.cdx.json              the jar
  org.evenweave.app.cdx.json      the application for ONOS
  org.evenweave.traffic.cdx.json  the application for ONOS with the solver
  host.cdx.json                   the programs for hosts
  page.cdx.json                   npm packages of the operator's page
  python.cdx.json                 Python packages of tests and simulations
  wheel.cdx.json                  what the Python package needs

Each is checked against the schema of CycloneDX 1.6 before it is written. The
same artefact always has the same bill of materials.

exit status: 0 done, 1 if an artefact has no complete bill of materials, 2 for
bad use
"""


def main() -> int:
    """Runs the command; returns the exit status."""
    options = _parser().parse_args()
    try:
        if options.lock:
            java.lock()
        options.folder.mkdir(parents=True, exist_ok=True)
        for name, bom in bills(options.program).items():
            write(bom, options.folder / f"{name}.cdx.json")
    except (SbomError, OSError) as error:
        print(f"sbom: {error}", file=sys.stderr)
        return 1
    print(f"sbom: the bills of materials are in {options.folder}", file=sys.stderr)
    return 0


def bills(programs: list[Path]) -> dict[str, Bom]:
    """The bills of materials of all that is built, by the names of their files; SbomError if one
    cannot be made."""
    return {
        **{name: java.bom(artefact) for name, artefact in java.artefacts().items()},
        "host": native.bom(programs),
        "page": npm.bom(),
        "python": python.bom(),
        "wheel": python.wheel(),
    }


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="./evenweave sbom",
        description="Writes bills of materials (CycloneDX, JSON) of all that is shipped.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "folder",
        nargs="?",
        type=Path,
        default=ROOT / "target/sbom",
        metavar="FOLDER",
        help="where to write them (default: target/sbom)",
    )
    parser.add_argument(
        "--lock",
        action="store_true",
        help="first accept the archives of Java components as Maven has fetched them, after a"
        " change of versions (sbom/maven.sha256)",
    )
    # Given by the launcher: the programs for hosts.
    parser.add_argument("--program", action="append", type=Path, default=[], help=argparse.SUPPRESS)
    return parser


if __name__ == "__main__":
    sys.exit(main())
