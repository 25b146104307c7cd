"""python3 -m evenweave_testbed.demo --controller-command "java -jar ... --fabric {fabric} ..."

Exit status: 0 if all promises held, 1 if one did not, 2 for bad use or a machine that cannot do it,
130 if interrupted.
"""

from evenweave_testbed import interruptible

if __name__ == "__main__":
    interruptible.run("demo", "evenweave_testbed.demo.command")
