"""Starts a program that may be interrupted at any time, even while it imports its modules,
and whose result may find no place."""

import errno
import importlib
import sys
from typing import NoReturn

from evenweave_testbed import standard_output

_FAILED, _INTERRUPTED = 1, 130

_NO_PLACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE)


def run(program: str, module: str) -> NoReturn:
    """Exits with what `run` of the module returns. Imports the module only here, since Mininet's
    modules take a while; so this module imports none that does."""
    try:
        status = importlib.import_module(module).run()
        if sys.stdout is not None:
            sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
    except OSError as error:
        if error.errno not in _NO_PLACE:
            raise
        standard_output.give_up(program, error.filename or "the result", error)
        sys.exit(_FAILED)
    sys.exit(status)
