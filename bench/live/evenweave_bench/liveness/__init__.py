"""How often BFD takes links for dead that are not, at a load, and what damping makes of that."""
