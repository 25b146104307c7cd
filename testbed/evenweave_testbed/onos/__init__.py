"""A real ONOS, alone or as a cluster, as the test bed's controller."""
