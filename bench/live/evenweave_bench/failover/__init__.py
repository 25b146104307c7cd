"""The failover benchmark: from a link failure to the last switch's confirmation."""
