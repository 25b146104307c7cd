"""A private certificate authority for one run, with certificates for mutual TLS."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Identity:
    """Files in PEM."""

    certificate: Path
    key: Path


class Authority:
    """Makes keys and certificates (P-256, a week) in a directory."""

    def __init__(self, directory: Path, name: str = "authority") -> None:
        self.directory = directory
        self.certificate, self._key = directory / f"{name}.crt", directory / f"{name}.key"
        self._openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-days", "7", "-subj", f"/CN={name}"),
            *("-keyout", str(self._key), "-out", str(self.certificate)),
        )

    def issue(self, name: str) -> Identity:
        """A certificate whose common name and DNS name are `name`."""
        key, request = self.directory / f"{name}.key", self.directory / f"{name}.csr"
        certificate, extensions = self.directory / f"{name}.crt", self.directory / f"{name}.ext"
        extensions.write_text(f"subjectAltName=DNS:{name}\n")
        self._openssl(
            *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-subj", f"/CN={name}", "-keyout", str(key), "-out", str(request)),
        )
        self._openssl(
            *("x509", "-req", "-in", str(request), "-CA", str(self.certificate)),
            *("-CAkey", str(self._key), "-CAcreateserial", "-days", "7"),
            *("-extfile", str(extensions), "-out", str(certificate)),
        )
        return Identity(certificate, key)

    def controller_keys(self, folder: Path, name: str) -> Path:
        """What `keys` of a controller's configuration names, in a new folder in this one, with a
        certificate for `name`."""
        keys = folder / "keys"
        keys.mkdir()
        identity = self.issue(name)
        shutil.copy(self.certificate, keys / "ca.pem")
        shutil.copy(identity.certificate, keys / "controller.pem")
        shutil.copy(identity.key, keys / "controller.key")
        return keys

    @staticmethod
    def _openssl(*arguments: str) -> None:
        done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"openssl {arguments[0]}: {done.stderr.strip()}")
