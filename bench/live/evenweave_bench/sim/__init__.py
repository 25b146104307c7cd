"""The simulator's speed, beside ns-3's own devices and hosts on the same flows."""
