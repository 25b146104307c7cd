"""Topologies of Evenweave: fabrics as data, and as Mininet topologies.

Start reading at `fabric_file.py`. Live fabrics are in `testbed/`; nothing here depends on it.
"""
