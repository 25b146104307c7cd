"""The client of a running controller's REST API, for either runtime."""

from __future__ import annotations

import base64
import json
import os
import ssl
import stat
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn
from urllib.parse import urlencode, urlsplit

from evenweave.operations import Operations

DEFAULT_SERVER = "http://127.0.0.1:8282"
# Of an URL without a path, as the command has it.
_PATH = "/evenweave"
# The controller itself spends up to 60 s on reading all switches.
_TIMEOUT_S = 70.0


class ControllerError(RuntimeError):
    """The controller did not answer, refused a request, or its answer lacks a field. `status` is
    the HTTP status if there was one."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ProfileError(ValueError):
    """The file of profiles is wrong; the message names file and field."""


class Answer(dict[str, Any]):
    """A JSON object from the controller; reading a field that it lacks is a ControllerError."""

    def __missing__(self, name: str) -> NoReturn:
        raise ControllerError(f"the controller's answer lacks {name!r}: {json.dumps(self)}")


class Client(Operations):
    """A method for each operation of the API; ControllerError if one fails.

    Client() asks the controller of this machine, Client.of_profile("lab") the one that the
    command `evenweave --profile lab` would ask.
    """

    def __init__(
        self,
        server: str = DEFAULT_SERVER,
        *,
        token: str | None = None,
        user: str | None = None,
        password: str = "",
        ca: Path | str | None = None,
        timeout_s: float = _TIMEOUT_S,
    ) -> None:
        """`server` is an URL; without a path that of the embedded runtime. Log in with a `token`,
        or on ONOS with `user` and `password`. `ca` is a file of certificates in PEM to trust
        instead of the machine's. A request without an answer for `timeout_s` fails."""
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.netloc:
            raise ValueError(f"server: must be an URL of http or https, not {server!r}")
        self.base = server.rstrip("/") + ("" if parts.path.strip("/") else _PATH)
        self._timeout_s = timeout_s
        self._headers: dict[str, str] = {}
        if token is not None:
            self._headers["Authorization"] = f"Bearer {token}"
        elif user is not None:
            self._headers["Authorization"] = basic_authorization(user, password)
        self._trusted = None if ca is None else ssl.create_default_context(cafile=str(ca))

    @classmethod
    def of_profile(cls, name: str | None = None, file: Path | None = None) -> Client:
        """The controller of a profile of the command; without a name that of the default profile.
        Raises ProfileError if the file is wrong or others can read a secret in it."""
        return cls(**profile(name, file or profiles_file()))

    def request(
        self, method: str, path: str, *, query: Mapping[str, object] | None = None, body: Any = None
    ) -> Any:
        content = self._send(method, path, query, body)
        if not content:
            return None
        try:
            return json.loads(content, object_hook=Answer)
        except ValueError as error:
            raise ControllerError(f"{method} {path}: the answer is not JSON: {error}") from error

    def metrics(self) -> str:
        """The metrics in Prometheus' text format."""
        return self._send("GET", "/metrics").decode()

    def event_stream(self, since: int | None = None) -> Iterator[Any]:
        """Events as they happen, after those with a sequence number above `since`. Ends when the
        controller ends the stream; ControllerError if it breaks off."""
        with self._open("GET", "/events/stream", {"since": since}) as lines:
            try:
                for line in lines:
                    field, _, value = line.decode().rstrip("\r\n").partition(":")
                    if field == "data":
                        yield json.loads(value, object_hook=Answer)
            except OSError as error:
                raise ControllerError(f"GET /events/stream: {error}") from error

    def _send(
        self, method: str, path: str, query: Mapping[str, object] | None = None, body: Any = None
    ) -> bytes:
        with self._open(method, path, query, body) as answer:
            try:
                content: bytes = answer.read()
            except OSError as error:
                raise ControllerError(f"{method} {path}: {error}") from error
            return content

    def _open(
        self, method: str, path: str, query: Mapping[str, object] | None = None, body: Any = None
    ) -> Any:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        headers = dict(self._headers)
        if body is not None:
            headers["Content-Type"] = "application/json"
        request = urllib.request.Request(
            self.base + path + ("?" + urlencode(given) if given else ""),
            None if body is None else json.dumps(body).encode(),
            headers,
            method=method,
        )
        try:
            return urllib.request.urlopen(request, timeout=self._timeout_s, context=self._trusted)
        except urllib.error.HTTPError as error:
            with error:
                said = _reason(error.read())
            raise ControllerError(f"{method} {path}: {error.code} {said}", error.code) from error
        except OSError as error:
            raise ControllerError(f"{method} {path}: {error}") from error


def basic_authorization(user: str, password: str) -> str:
    """The value of the header Authorization (RFC 7617), by which ONOS has users log in."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode()


def profiles_file(environment: Mapping[str, str] = os.environ) -> Path:
    """Where the command keeps its profiles."""
    configuration = environment.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(configuration) / "evenweave/profiles.json"


def profile(name: str | None, file: Path) -> dict[str, Any]:
    """The arguments of Client in a profile; ProfileError if there are none."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        chosen = name or document["default"]
        found = document["profiles"][chosen]
        if any(secret in found for secret in ("token", "password")):
            _check_private(file)
        arguments = {"server": found["server"]}
    except OSError as error:
        raise ProfileError(f"{file}: {error.strerror}") from error
    except KeyError as error:
        raise ProfileError(f"{file}: there is no {error}") from error
    except (TypeError, ValueError) as error:
        raise ProfileError(f"{file}: not a file of profiles: {error}") from error
    arguments |= {field: found[field] for field in ("token", "user", "password") if field in found}
    if "tokenFile" in found:
        token = file.parent / found["tokenFile"]
        _check_private(token)
        arguments["token"] = token.read_text().strip()
    if "ca" in found:
        arguments["ca"] = file.parent / found["ca"]
    return arguments


def _check_private(file: Path) -> None:
    try:
        mode = file.stat().st_mode
    except OSError as error:
        raise ProfileError(f"{file}: {error.strerror}") from error
    if mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise ProfileError(f"{file}: others can read it: chmod 600 {file}")


def _reason(body: bytes) -> str:
    """What a refusal says: the field "error" of a JSON object, or the text."""
    text = body.decode(errors="replace").strip()
    try:
        return str(json.loads(text)["error"])
    except (KeyError, TypeError, ValueError):
        return text
