"""python3 -m evenweave_bench.sdd --controller-jar JAR [OPTION...]"""

import sys

from evenweave_bench.sdd.command import main

if __name__ == "__main__":
    sys.exit(main())
