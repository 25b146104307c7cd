#!/usr/bin/python3
"""Writes files, one after another, as the array license_texts of a C header.

usage: embed.py FILE... > HEADER
"""

import sys
from pathlib import Path

text = b"\n".join(Path(name).read_bytes() for name in sys.argv[1:])
print("/* Written by embed.py. */")
print("static const unsigned char license_texts[] = {")
for start in range(0, len(text), 16):
    print("    " + " ".join(f"{byte}," for byte in text[start : start + 16]))
print("};")
