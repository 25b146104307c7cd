"""Acts of others on a fabric: each begins, is reported by the controller, and ends."""
