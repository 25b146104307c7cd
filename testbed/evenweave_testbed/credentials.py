"""HTTP's BASIC authentication, with which ONOS protects its REST interface."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from evenweave.client import basic_authorization


@dataclass(frozen=True)
class Credentials:
    """A user and the password, as ONOS's own tools take them: from ONOS_WEB_USER and ONOS_WEB_PASS,
    else those a new ONOS has."""

    user: str
    password: str

    @classmethod
    def of_onos(
        cls, user: str | None = None, environment: Mapping[str, str] = os.environ
    ) -> Credentials:
        return cls(
            user or environment.get("ONOS_WEB_USER", "onos"),
            environment.get("ONOS_WEB_PASS", "rocks"),
        )

    def headers(self) -> dict[str, str]:
        """The header of a request that shows them (RFC 7617)."""
        return {"Authorization": basic_authorization(self.user, self.password)}
