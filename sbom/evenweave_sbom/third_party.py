"""Reads the lists of third parties that the build writes into artefacts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Listed:
    """A line of the list in a Java artefact. `licenses` are alternatives, or those of its parts, by
    SPDX's names where it has them."""

    group: str
    artifact: str
    version: str
    licenses: tuple[str, ...]
    home: str | None


def listed(text: str) -> list[Listed]:
    """The components of a list; ValueError for a line that is none."""
    found = []
    for coordinates, licenses, _name, home in _fields(text, 4):
        group, artifact, version = coordinates.split(":")
        each = tuple(licenses.split(" / "))
        found.append(Listed(group, artifact, version, each, _address(home)))
    return found


@dataclass(frozen=True)
class Linked:
    """What is linked into a library or a program: no archive of its own has it. `version` is None
    where the list has none."""

    name: str
    version: str | None
    license: str
    home: str | None


def linked_into_libraries(text: str) -> list[Linked]:
    """The components of a list of native libraries, each once; ValueError for any other line."""
    found = {
        name: Linked(name, None, license, _address(home))
        for _library, license, name, home in _fields(text, 4)
    }
    return list(found.values())


def compiled_into_programs(text: str) -> list[Linked]:
    """The components of the list that a program prints by `--licenses`."""
    found = []
    for line in text.splitlines():
        if line.count(" | ") == 2:
            name, license, home = line.split(" | ")
            bare, _, version = name.rpartition(" ")
            has_version = version[:1].isdigit()
            found.append(
                Linked(
                    bare if has_version else name,
                    version if has_version else None,
                    license,
                    _address(home),
                )
            )
    return found


def _fields(text: str, count: int) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    fields = [line.split(" | ") for line in lines]
    for each in fields:
        if len(each) != count:
            raise ValueError(f'not {count} fields separated by " | ": {" | ".join(each)}')
    return fields


def _address(text: str) -> str | None:
    return text if "://" in text else None
