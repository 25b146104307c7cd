"""The edge's demonstration: its schemes side by side on a live fabric with a degraded link."""
