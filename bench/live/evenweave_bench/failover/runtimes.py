"""The controllers that are compared, each started and stopped in the same way."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from evenweave_testbed.controller import OPENFLOW_ADDRESS, Controller, ControllerProcess
from evenweave_testbed.fabric import Fabric
from evenweave_testbed.onos.cluster import Onos
from evenweave_testbed.onos.distribution import Distribution
from evenweave_testbed.run_directory import remove_tree


class Runtime(ABC):
    """A controller that lives as long as the `with` around it. Switches are pointed at it later."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        self._undo = ExitStack()

    def __enter__(self) -> Self:
        try:
            self._start()
        except BaseException:
            self._undo.close()
            raise
        return self

    def __exit__(self, *_exception: object) -> None:
        self._undo.close()

    @abstractmethod
    def _start(self) -> None:
        """Starts it and returns once it listens."""

    @abstractmethod
    def deploy(self) -> Controller:
        """Gives it Evenweave and the fabric, if it has not got them by its start."""

    @abstractmethod
    def targets(self) -> list[str]:
        """What switches have to connect to."""


class Standalone(Runtime):
    """The embedded runtime."""

    def __init__(self, fabric: Fabric, command: Sequence[str]) -> None:
        super().__init__(fabric)
        self._process = ControllerProcess(command, fabric.fabric_file, fabric.directory)

    def _start(self) -> None:
        self.fabric.fabric_file.write_text(json.dumps(self.fabric.spec.to_json()))
        self._undo.callback(self._process.stop)
        self._process.start()

    def deploy(self) -> Controller:
        return Controller(self._process)

    def pid(self) -> int:
        """The controller's process."""
        return self._process.pid()

    def targets(self) -> list[str]:
        return [f"tcp:{OPENFLOW_ADDRESS}"]


class OnosRuntime(Runtime):
    """ONOS as it is shipped; one instance or three."""

    def __init__(self, fabric: Fabric, oar: Path, instances: int) -> None:
        super().__init__(fabric)
        self._oar = oar
        self.onos = Onos(Distribution.find(), fabric.directory / "onos", instances)

    def _start(self) -> None:
        # The copies are large.
        self._undo.callback(lambda: remove_tree(self.onos.directory))
        self._undo.enter_context(self.onos)

    def deploy(self) -> Controller:
        self.onos.deploy(self._oar, self.fabric.spec.to_json())
        return self.onos.controller()

    def targets(self) -> list[str]:
        return self.onos.openflow_targets()
