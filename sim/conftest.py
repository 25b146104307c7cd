from evenweave_testbed.core_cases import (  # noqa: F401
    pytest_collection_modifyitems,
    pytest_configure,
)
