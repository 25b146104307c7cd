"""The test bed of Evenweave: live fabrics of Open vSwitch switches under Mininet, and hosts.

Start reading at `fabric.py` (a live fabric) and `isolation.py` (the private namespace it lives in).
"""
