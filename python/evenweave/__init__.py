"""Weighted multipathing for researchers: build fabrics, compute weights, ask controllers, plot.

    from evenweave import Client, FabricBuilder, Tools, clos

    plan = Tools().stripe("group", s1=6, s2=6, uplinks=8, downlinks=8)
    weights = Tools().weights(clos(plan.matrix))
    print(Client().status()["state"])

`evenweave.plots` needs matplotlib. `evenweave.models` has the types of what Client answers.
"""

from evenweave.client import Client, ControllerError, ProfileError
from evenweave.fabric import (
    FabricBuilder,
    FabricError,
    FabricSpec,
    clos,
    fat_tree,
    load,
    parse,
    without,
)
from evenweave.tools import Fitted, NextHop, PairWeights, Reduced, Striping, ToolError, Tools

__all__ = [
    "Client",
    "ControllerError",
    "FabricBuilder",
    "FabricError",
    "FabricSpec",
    "Fitted",
    "NextHop",
    "PairWeights",
    "ProfileError",
    "Reduced",
    "Striping",
    "ToolError",
    "Tools",
    "clos",
    "fat_tree",
    "load",
    "parse",
    "without",
]
