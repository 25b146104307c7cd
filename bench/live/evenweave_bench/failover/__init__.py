"""The benchmark of failures: how long until every switch has confirmed the answer to one."""
