"""A test bed of hosts whose queues a controller schedules: sdd-host processes, a circuit switch,
applications on top, and a stand-in controller for tests of the hosts alone."""
