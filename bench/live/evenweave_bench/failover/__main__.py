"""python3 -m evenweave_bench.failover --standalone "java -jar ..." --oar FILE [OPTION...]

Exit status: 0 if whatever could run ran and nothing it said was false, 1 if not, 2 for bad use or a
machine that cannot do it, 130 if interrupted.
"""

import sys

_INTERRUPTED = 130

if __name__ == "__main__":
    try:
        # Inside the try, since an interrupt may come while Mininet's modules are being loaded.
        from evenweave_bench.failover.command import run

        sys.exit(run())
    except KeyboardInterrupt:
        print("bench failover: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
