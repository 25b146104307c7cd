"""A fabric for experiments: switches, hosts, a controller, and a shell to work with them."""
