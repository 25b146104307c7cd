"""The start of a program that may be interrupted at any time, also while it imports its modules."""

import importlib
import sys
from typing import NoReturn

_INTERRUPTED = 130


def run(program: str, module: str) -> NoReturn:
    """Exits with what `run` of the module returns. Imports the module only here, since Mininet's
    modules take a while; so this module imports none of the test bed."""
    try:
        sys.exit(importlib.import_module(module).run())
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
