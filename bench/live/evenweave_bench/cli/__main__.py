"""python3 -m evenweave_bench.cli --tools "COMMAND" [OPTION...]

Exit status: 0 done, 1 if a tool failed, 2 for bad use, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench cli", "evenweave_bench.cli.command")
