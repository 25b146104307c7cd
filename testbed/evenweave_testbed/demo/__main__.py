"""python3 -m evenweave_testbed.demo --controller-command "java -jar ... --fabric {fabric} ..."

Exit status: 0 if all promises held, 1 if one did not, 2 for bad use or a machine that cannot do it,
130 if interrupted.
"""

import sys

_INTERRUPTED = 130

if __name__ == "__main__":
    try:
        # Inside the try, since an interrupt may come while Mininet's modules are being loaded.
        from evenweave_testbed.demo.command import run

        sys.exit(run())
    except KeyboardInterrupt:
        print("demo: interrupted", file=sys.stderr)
        sys.exit(_INTERRUPTED)
