"""python3 -m evenweave_bench.sim --programs FOLDER [OPTION...]

Exit status: 0 done, 1 if a program failed, 2 for bad use, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench sim", "evenweave_bench.sim.command")
