"""Messages of the SDD control protocol, encoded and decoded by its schema itself.

A second implementation beside the generated codecs, so that tests of the hosts do not depend on
them. Fields have their schema's names; an enumeration is its name, a group a list of dictionaries.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
import xml.etree.ElementTree as ElementTree
from functools import cache
from pathlib import Path
from typing import Any

SCHEMA = Path(__file__).resolve().parents[3] / "sdd-controller/src/main/sbe/sdd-protocol.xml"
SCHEMA_ID = 1385
TAG_BYTES = 16
_HEADER = struct.Struct("<HHHH")  # block length, template, schema, version
_GROUP = struct.Struct("<HH")
_TEXT = struct.Struct("<H")
_PRIMITIVES = {
    "uint8": "B",
    "uint16": "H",
    "uint32": "I",
    "uint64": "Q",
    "int64": "q",
}


class _Schema:
    def __init__(self) -> None:
        root = ElementTree.parse(SCHEMA).getroot()
        self.version = int(root.attrib["version"])
        self.types = {element.attrib["name"]: element for element in root.iterfind("types/*")}
        self.messages = {
            element.attrib["name"]: element for element in root if element.tag.endswith("message")
        }
        self.names = {int(element.attrib["id"]): name for name, element in self.messages.items()}

    def format(self, name: str) -> str:
        """How `struct` packs a type: enumerations as numbers, arrays as bytes."""
        if name in _PRIMITIVES:
            return _PRIMITIVES[name]
        element = self.types[name]
        if element.tag == "enum":
            return _PRIMITIVES[element.attrib["encodingType"]]
        if element.tag == "composite":
            return "".join(self._part(part) for part in element)
        return self._part(element)

    @staticmethod
    def _part(element: ElementTree.Element) -> str:
        length = element.get("length")
        return f"{length}s" if length else _PRIMITIVES[element.attrib["primitiveType"]]

    def to_wire(self, name: str, value: Any) -> list:
        element = self.types.get(name)
        if element is not None and element.tag == "enum":
            numbers = {valid.attrib["name"]: int(valid.text or "") for valid in element}
            return [numbers[value]]
        if element is not None and element.tag == "composite":
            return [value[part.attrib["name"]] for part in element]
        return [value]

    def from_wire(self, name: str, values: list) -> Any:
        element = self.types.get(name)
        if element is not None and element.tag == "enum":
            names = {int(valid.text or ""): valid.attrib["name"] for valid in element}
            return names[values.pop(0)]
        if element is not None and element.tag == "composite":
            return {part.attrib["name"]: values.pop(0) for part in element}
        return values.pop(0)


@cache
def _schema() -> _Schema:
    return _Schema()


def _children(element: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    return [child for child in element if child.tag == tag]


def _block(element: ElementTree.Element) -> tuple[list[tuple[str, str]], struct.Struct]:
    fields = [(f.attrib["name"], f.attrib["type"]) for f in _children(element, "field")]
    return fields, struct.Struct("<" + "".join(_schema().format(kind) for _, kind in fields))


def _encode_body(element: ElementTree.Element, values: dict) -> bytes:
    fields, packer = _block(element)
    parts: list = []
    for name, kind in fields:
        parts += _schema().to_wire(kind, values[name])
    out = packer.pack(*parts)
    for group in _children(element, "group"):
        entries = values.get(group.attrib["name"], [])
        out += _GROUP.pack(_block(group)[1].size, len(entries))
        out += b"".join(_encode_body(group, entry) for entry in entries)
    for data in _children(element, "data"):
        text = values.get(data.attrib["name"], "").encode()
        out += _TEXT.pack(len(text)) + text
    return out


def encode(message: str, **values: Any) -> bytes:
    """A message with its header."""
    element = _schema().messages[message]
    size = _block(element)[1].size
    header = _HEADER.pack(size, int(element.attrib["id"]), SCHEMA_ID, _schema().version)
    return header + _encode_body(element, values)


def _decode_body(
    element: ElementTree.Element, data: bytes, at: int, block_length: int
) -> tuple[dict, int]:
    fields, packer = _block(element)
    values = list(packer.unpack_from(data, at))
    out = {name: _schema().from_wire(kind, values) for name, kind in fields}
    at += block_length
    for group in _children(element, "group"):
        length, count = _GROUP.unpack_from(data, at)
        at += _GROUP.size
        entries = []
        for _ in range(count):
            entry, at = _decode_body(group, data, at, length)
            entries.append(entry)
        out[group.attrib["name"]] = entries
    for text in _children(element, "data"):
        (length,) = _TEXT.unpack_from(data, at)
        at += _TEXT.size
        out[text.attrib["name"]] = data[at : at + length].decode()
        at += length
    return out, at


def decode(data: bytes) -> tuple[str, dict]:
    """The name and the fields of a message; ValueError if it is none of this schema."""
    block_length, template, schema, _ = _HEADER.unpack_from(data)
    name = _schema().names.get(template)
    if schema != SCHEMA_ID or name is None:
        raise ValueError(f"template {template} of schema {schema}")
    values, at = _decode_body(_schema().messages[name], data, _HEADER.size, block_length)
    if at != len(data):
        raise ValueError(f"{name}: {len(data) - at} bytes behind it")
    return name, values


def sign(message: bytes, key: bytes) -> bytes:
    """A datagram: the message and its tag."""
    return message + hmac.new(key, message, hashlib.sha256).digest()[:TAG_BYTES]


def mapped(ipv4: str) -> bytes:
    """An IPv4 address as the protocol has it."""
    return bytes(10) + b"\xff\xff" + bytes(int(octet) for octet in ipv4.split("."))
