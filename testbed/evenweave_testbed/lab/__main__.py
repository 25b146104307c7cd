"""python3 -m evenweave_testbed.lab --controller-command "java -jar ... --fabric {fabric} ..."

Exit status: that of the shell, 1 if the fabric did not start, 2 for bad use or a machine that
cannot do it, 130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("lab", "evenweave_testbed.lab.command")
