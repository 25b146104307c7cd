"""Benchmarks on live fabrics and hosts; those of algorithms are in Java, beside this folder.

Each sub-package is one benchmark, and its `command` the place to start reading.
"""
