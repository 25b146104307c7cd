"""python3 -m evenweave_testbed.soak --controller-command "java ..." --tools "java ..." [OPTION...]

Exit status: 0 if everything held, 1 if something did not, 2 for bad use or a machine that cannot do
it, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("bench soak", "evenweave_testbed.soak.command")
