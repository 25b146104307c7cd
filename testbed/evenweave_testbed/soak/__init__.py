"""The fault runner: random faults on random live fabrics, with checks after each step."""
