"""The start of a program that may be interrupted at any time, also while it imports its modules,
and whose result may find no place."""

import errno
import importlib
import os
import sys
from typing import NoReturn

_FAILED, _INTERRUPTED = 1, 130

_NO_PLACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EPIPE)


def run(program: str, module: str) -> NoReturn:
    """Exits with what `run` of the module returns. Imports the module only here, since Mininet's
    modules take a while; so this module imports none of the test bed."""
    try:
        status = importlib.import_module(module).run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        print(f"{program}: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
    except OSError as error:
        if error.errno not in _NO_PLACE:
            raise
        what = error.filename or "the result"
        print(f"{program}: {what} cannot be written: {error.strerror}", file=sys.stderr)
        # Python would try again at its end, and complain in words of its own.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(_FAILED)
    sys.exit(status)
