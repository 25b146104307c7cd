"""Links of a fabric that are neither up nor down: they lose, damage, delay or limit packets."""
