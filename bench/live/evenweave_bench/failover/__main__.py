"""python3 -m evenweave_bench.failover --standalone "java -jar ..." --oar FILE [OPTION...]

Exit status: 0 if no runtime failed and no report was wrong, 1 if not, 2 for wrong usage or a
machine that cannot run it, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench failover", "evenweave_bench.failover.command")
