"""python3 -m evenweave_bench.sdd --controller-jar JAR [OPTION...]"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench sdd", "evenweave_bench.sdd.command")
