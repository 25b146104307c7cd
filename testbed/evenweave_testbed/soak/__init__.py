"""Random faults on random live fabrics: what is done to them, what has to hold, what was lost."""
