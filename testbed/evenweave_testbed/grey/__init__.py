"""Links with grey failures: they are up, but lose, damage, delay or limit packets."""
