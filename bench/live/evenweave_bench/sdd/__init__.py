"""The benchmark of the hosts: how exactly they transmit, alone and under the controller."""
