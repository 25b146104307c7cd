"""Throughput of TCP through the edge's overlay beside the kernel's own and Open vSwitch's."""
