"""A fabric to try things on: switches, hosts and a controller, and a shell beside them."""
