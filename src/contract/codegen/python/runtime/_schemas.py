"""The schemas of a package as data.

A node is a mapping of the keywords of draft 2020-12, as the generator prints them: `type` is a tuple, a pattern or a format is
a pair of its text and its test, and `$ref` is the name of a definition.
"""

from __future__ import annotations

from typing import Any, Callable, Mapping

Node = Mapping[str, Any]
"""A schema: its keywords."""

Nodes = Mapping[str, Node]

_printed: list[Callable[[], Nodes]] = []
_nodes: dict[str, Node] = {}
MAJORS: dict[str, int] = {}
"""The current major version of each schema, by its name."""


def define(schemas: Callable[[], Nodes], majors: Mapping[str, int] | None = None) -> None:
    """Adds the schemas of a module. `schemas` is called when the first one is needed.

    `majors` has the current major version of each schema, by its name.
    """
    _printed.append(schemas)
    MAJORS.update(majors or {})


def definition(name: str) -> Node:
    """The node of a definition, which one of the modules has added."""
    if name not in _nodes:
        for schemas in _printed:
            for each, node in schemas().items():
                _nodes.setdefault(each, node)
    return _nodes[name]
