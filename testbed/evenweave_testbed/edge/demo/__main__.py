"""python3 -m evenweave_testbed.edge.demo [OPTION...]

Exit status: 0 if every scheme's accounts add up, 1 if not, 2 for bad use or a machine that cannot
do it, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("demo edge", "evenweave_testbed.edge.demo.command")
