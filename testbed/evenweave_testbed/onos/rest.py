"""Client of ONOS's own REST interface, as far as the test bed needs it."""

from __future__ import annotations

import json
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from evenweave_testbed.credentials import Credentials

APPLICATION = "org.evenweave.app"
# Has the solver of strategy "traffic".
SOLVER = "org.evenweave.traffic"

# Installing the application took 20 s at a load of 20 on two cores.
_TIMEOUT_S = 120.0


class OnosError(RuntimeError):
    """ONOS did not start, refused a request, or took too long."""


class OnosRest:
    """REST of the instance that listens at `address` (host:port)."""

    def __init__(self, address: str, credentials: Credentials) -> None:
        self.base = f"http://{address}/onos"
        self.credentials = credentials

    def is_installed(self, application: str) -> bool:
        """Whether ONOS has an application, active or not: it reads them after it answers."""
        return self._succeeds(f"/v1/applications/{application}")

    def is_active(self, application: str) -> bool:
        """Whether ONOS counts an application as active."""
        try:
            return self.get(f"/v1/applications/{application}")["state"] == "ACTIVE"
        except OnosError:
            return False

    def evenweave_answers(self) -> bool:
        """Whether the application's own resources are there."""
        return self._succeeds("/evenweave/status")

    def active_nodes(self) -> int:
        """How many instances of the cluster take part in it; 0 if none answers."""
        try:
            nodes = self.get("/v1/cluster")["nodes"]
        except OnosError:
            return 0
        return sum(node["status"] in ("ACTIVE", "READY") for node in nodes)

    def install(self, oar: Path) -> None:
        """Installs and activates an application, as `onos-app HOST install! OAR` does."""
        self._request(
            "POST", "/v1/applications?activate=true", oar.read_bytes(), "application/octet-stream"
        )

    def activate(self, application: str) -> None:
        """Activates an installed application and those it requires."""
        self._request("POST", f"/v1/applications/{application}/active")

    def deactivate(self, application: str = APPLICATION) -> None:
        """Deactivates an application and those that require it."""
        self._request("DELETE", f"/v1/applications/{application}/active")

    def uninstall(self, application: str = APPLICATION) -> None:
        self._request("DELETE", f"/v1/applications/{application}")

    def configure(self, fabric: dict) -> None:
        """Gives the application its fabric, as `onos-netcfg HOST FILE apps/.../fabric` does."""
        path = f"/v1/network/configuration/apps/{APPLICATION}/fabric"
        self._request("POST", path, json.dumps(fabric).encode(), "application/json")

    def configure_device(self, device: str, key: str, configuration: dict) -> None:
        """Gives a device's part of ONOS's network configuration."""
        path = f"/v1/network/configuration/devices/{urllib.parse.quote(device, safe='')}/{key}"
        self._request("POST", path, json.dumps(configuration).encode(), "application/json")

    def remove_configuration(self) -> None:
        """Removes the fabric, as `onos-netcfg HOST delete` does."""
        self._request("DELETE", f"/v1/network/configuration/apps/{APPLICATION}/fabric")

    def remove_flows(self, application: str) -> None:
        """Removes all rules of an application."""
        self._request("DELETE", f"/v1/flows/application/{application}")

    def available_devices(self) -> int:
        """How many devices ONOS is connected to."""
        return sum(device["available"] for device in self.get("/v1/devices")["devices"])

    def has_topology(self, devices: int, links: int) -> bool:
        """Whether ONOS is connected to so many devices and knows so many directions of links. Its
        services start later than its REST, which answers 503 until then."""
        try:
            known = len(self.get("/v1/links")["links"])
            return self.available_devices() == devices and known == links
        except OnosError:
            return False

    def add_flow(self, device: str, flow: dict, application: str = "org.onosproject.rest") -> None:
        """Adds a rule in the name of an application."""
        path = f"/v1/flows/{device}?appId={application}"
        self._request("POST", path, json.dumps(flow).encode(), "application/json")

    def property(self, component: str, name: str) -> str:
        """The value in force of a component's property."""
        return self.get(f"/v1/configuration/{component}")[component][name]

    def set_property(self, component: str, name: str, value: str) -> None:
        """Sets it as `cfg set` does."""
        body = json.dumps({name: value}).encode()
        self._request("POST", f"/v1/configuration/{component}", body, "application/json")

    def add_intent(self, intent: dict) -> None:
        """Submits an intent in the name of ONOS's core, an application that is always there."""
        intent = {"appId": "org.onosproject.core"} | intent
        self._request("POST", "/v1/intents", json.dumps(intent).encode(), "application/json")

    def master(self, device: str) -> str | None:
        """The instance that is a device's master; None if none is (404), or nobody says."""
        try:
            return self.get(f"/v1/mastership/{device}/master")["nodeId"]
        except OnosError:
            return None

    def set_master(self, device: str, node: str) -> None:
        """Makes an instance a device's master."""
        role = {"deviceId": device, "nodeId": node, "role": "MASTER"}
        self._request("PUT", "/v1/mastership", json.dumps(role).encode(), "application/json")

    def post(self, path: str) -> dict:
        """What a resource answers that does what it does by itself."""
        return json.loads(self._request("POST", path))

    def get(self, path: str) -> dict:
        return json.loads(self._request("GET", path))

    def _succeeds(self, path: str) -> bool:
        try:
            self._request("GET", path)
            return True
        except OnosError:
            return False

    def _request(
        self, method: str, path: str, body: bytes | None = None, content_type: str | None = None
    ) -> bytes:
        headers = dict(self.credentials.headers())
        if content_type is not None:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self.base + path, body, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
                return answer.read()
        except urllib.error.HTTPError as error:
            said = error.read().decode(errors="replace").strip()
            raise OnosError(f"{method} {path}: {error.code} {said}") from error
        except OSError as error:
            raise OnosError(f"{method} {path}: {error}") from error
