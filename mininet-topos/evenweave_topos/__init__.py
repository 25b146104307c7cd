"""Topologies and test bed of Evenweave: fabrics of Open vSwitch switches under Mininet.

Start reading at `fabric.py` (a live fabric) and `isolation.py` (the private namespace it lives in).
"""
