from evenweave_testbed.pytest_plugin import (  # noqa: F401
    pytest_cmdline_main,
    pytest_collection_modifyitems,
    pytest_configure,
)
