"""The command `./evenweave sim`: the papers' experiments in the simulator."""
