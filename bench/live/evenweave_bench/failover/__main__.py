"""python3 -m evenweave_bench.failover --standalone "java -jar ..." --oar FILE [OPTION...]

Exit status: 0 if whatever could run ran and nothing it said was false, 1 if not, 2 for bad use or a
machine that cannot do it, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench failover", "evenweave_bench.failover.command")
