"""python3 -m evenweave_bench.slow_link --controller-command "COMMAND" [OPTION...]

Exit status: 0 done, 1 if it could not be measured, 2 for bad use or a machine that cannot do it,
130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench slow-link", "evenweave_bench.slow_link.command")
