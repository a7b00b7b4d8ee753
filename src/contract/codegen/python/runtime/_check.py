"""Finds what is wrong with a value, by its schema as data. Faults come in the order of the keywords, as in TypeScript."""

from __future__ import annotations

import sys
from fractions import Fraction
from typing import Any, Callable, Iterable

from ._equality import json_key
from ._faults import Invalid, WireFault, escape_controls, escape_token, explain_version, preview
from ._members import find_tag, is_of_type, may_accept, say_types
from ._schemas import MAJORS, Node, Nodes, definition
from ._values import is_array, is_number, is_object
from ._words import alternatives, limit_items, limit_properties, show_literal, with_article

_MAX_NESTED = 100
"""How often a definition may be nested in itself. Every language has a limit, and this one is the same in all."""

_ROOM = 20_000
"""Frames for definitions that are nested in many steps."""


def find_faults(name: str, value: object) -> list[WireFault]:
    """All faults of a JSON value under a definition, each once; empty if it is valid."""
    return find_node_faults({"$ref": name}, value)


def find_node_faults(node: Node, value: object) -> list[WireFault]:
    """The same under a node."""
    faults: list[WireFault] = []

    def judge() -> None:
        faults.clear()
        _Walk(lambda fault, _: faults.append(fault)).judge(node, value, "")

    _with_room(judge)
    return list(dict.fromkeys(faults))


def check(name: str, value: object) -> None:
    """Raises Invalid at the first fault of a JSON value under a definition."""
    _with_room(lambda: _Walk(_stop).judge({"$ref": name}, value, ""))


def accepts(name: str, value: object) -> bool:
    """Whether a JSON value is valid under a definition."""
    try:
        check(name, value)
    except Invalid:
        return False
    return True


Add = Callable[[WireFault, str], object]
"""What is done with a fault, and with what was demanded."""


def _stop(fault: WireFault, demand: str) -> None:
    raise Invalid


def _with_room(judge: Callable[[], None]) -> None:
    try:
        judge()
        return
    except RecursionError:
        limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + _ROOM)
    try:
        judge()
    finally:
        sys.setrecursionlimit(limit)


class _Walk:
    """One search: what it found, and how deep it is in each definition."""

    __slots__ = ("_add", "_depths", "_verdicts")

    def __init__(
        self,
        add: Add,
        depths: dict[str, int] | None = None,
        verdicts: dict[tuple[int, int], bool] | None = None,
    ) -> None:
        self._add = add
        self._depths: dict[str, int] = {} if depths is None else depths
        # By node and value: without it, unions in unions would be judged again and again.
        self._verdicts: dict[tuple[int, int], bool] = {} if verdicts is None else verdicts

    def judge(self, node: Node, value: Any, at: str) -> None:
        """Adds the faults of a value, in the order of the keywords."""
        if "$ref" in node:
            self._follow(node["$ref"], value, at)
        if "type" in node and not any(is_of_type(value, each) for each in node["type"]):
            self._fault(at, "type", f"must be {alternatives(map(with_article, node['type']))}", value)
            return
        self._judge_literals(node, value, at)
        if isinstance(value, str):
            self._judge_text(node, value, at)
        elif is_array(value):
            self._judge_array(node, value, at)
        elif is_object(value):
            self._judge_object(node, value, at)
        elif is_number(value):
            self._judge_number(node, value, at)
        self._judge_parts(node, value, at)

    def _fault(self, at: str, keyword: str, demand: str, value: Any) -> None:
        self._say(at, keyword, demand, f"is {preview(value)}")

    def _say(self, at: str, keyword: str, demand: str, found: str = "") -> None:
        message = f"{demand}, {found}" if found else demand
        self._add(WireFault(at, keyword, escape_controls(message)), demand)

    def _accepts(self, node: Node, value: Any) -> bool:
        key = (id(node), id(value))
        verdict = self._verdicts.get(key)
        if verdict is None:
            try:
                _Walk(_stop, self._depths, self._verdicts).judge(node, value, "")
                verdict = True
            except Invalid:
                verdict = False
            self._verdicts[key] = verdict
        return verdict

    def _follow(self, name: str, value: Any, at: str) -> None:
        depth = self._depths.get(name, 0)
        if depth > _MAX_NESTED:
            self._say(at, "nesting", f"is nested in itself more than {_MAX_NESTED} times")
            return
        self._depths[name] = depth + 1
        try:
            self.judge(definition(name), value, at)
        finally:
            self._depths[name] = depth

    def _judge_literals(self, node: Node, value: Any, at: str) -> None:
        if "const" in node and json_key(node["const"]) != json_key(value):
            found = f"is {preview(value)}"
            if isinstance(node["const"], str) and MAJORS and _is_version(node["const"]):
                found += explain_version(value, MAJORS)
            self._say(at, "const", f"must be {show_literal(node['const'])}", found)
        if "enum" in node and json_key(value) not in _keys_of(node["enum"]):
            self._fault(at, "enum", f"must be {alternatives(map(show_literal, node['enum']))}", value)

    def _judge_number(self, node: Node, value: int | float, at: str) -> None:
        for keyword, sign, fails in _BOUNDS:
            if keyword in node and fails(value, node[keyword]):
                self._fault(at, keyword, f"must be {sign} {preview(node[keyword])}", value)

    def _judge_text(self, node: Node, value: str, at: str) -> None:
        least, most = node.get("minLength", 0), node.get("maxLength")
        if len(value) < least:
            if least == 1:
                self._say(at, "minLength", "must not be empty")
            else:
                self._fault(at, "minLength", f"must have at least {least} characters", value)
        if most is not None and len(value) > most:
            self._fault(at, "maxLength", f"must NOT have more than {most} characters", value)
        if "pattern" in node and not node["pattern"][1](value):
            self._fault(at, "pattern", f"must match {node['pattern'][0]}", value)
        if "format" in node and not node["format"][1](value):
            self._fault(at, "format", f'must match format "{node["format"][0]}"', value)

    def _judge_array(self, node: Node, value: list[Any], at: str) -> None:
        least, most = node.get("minItems", 0), node.get("maxItems")
        if len(value) < least:
            self._say(at, "minItems", f"must have at least {least} items", f"has {len(value)}")
        if most is not None and len(value) > most:
            self._fault(at, "maxItems", f"must NOT have more than {most} items", value)
        if node.get("uniqueItems"):
            self._judge_unique(value, at)
        if "contains" in node:
            self._judge_contains(node, value, at)
        prefix, rest = node.get("prefixItems", ()), node.get("items")
        for index, item in enumerate(value):
            child = prefix[index] if index < len(prefix) else rest
            if child is not None:
                self.judge(child, item, f"{at}/{index}")

    def _judge_unique(self, value: list[Any], at: str) -> None:
        places: dict[Any, int] = {}
        for index, item in enumerate(value):
            first = places.setdefault(json_key(item), index)
            if first != index:
                self._say(at, "uniqueItems", "must not have equal items", f"items {first} and {index} are equal")
                return

    def _judge_contains(self, node: Node, value: list[Any], at: str) -> None:
        count = sum(self._accepts(node["contains"], item) for item in value)
        least, most = node.get("minContains", 1), node.get("maxContains")
        if count < least:
            self._say(at, "contains", limit_items("at least", least), f"has {count}")
        if most is not None and count > most:
            self._say(at, "contains", limit_items("at most", most), f"has {count}")

    def _judge_object(self, node: Node, value: dict[str, Any], at: str) -> None:
        for name in node.get("required", ()):
            if name not in value:
                self._say(at, "required", f"lacks {preview(name)}")
        least, most = node.get("minProperties", 0), node.get("maxProperties")
        if len(value) < least:
            self._say(at, "minProperties", limit_properties("at least", least), f"has {len(value)}")
        if most is not None and len(value) > most:
            self._say(at, "maxProperties", limit_properties("at most", most), f"has {len(value)}")
        for name, demanded in node.get("dependentRequired", {}).items():
            for other in demanded if name in value else ():
                if other not in value:
                    self._say(at, "dependentRequired", f"lacks {preview(other)}, which {preview(name)} demands")
        if "propertyNames" in node:
            self._judge_names(node["propertyNames"], value, at)
        self._judge_properties(node, value, at)

    def _judge_names(self, node: Node, value: dict[str, Any], at: str) -> None:
        for name in value:
            if not self._accepts(node, name):
                demands: list[str] = []
                walk = _Walk(lambda _, demand: demands.append(demand), self._depths, self._verdicts)
                walk.judge(node, name, "")
                self._say(at, "propertyNames", f"has {preview(name)}, whose name {demands[0]}")

    def _judge_properties(self, node: Node, value: dict[str, Any], at: str) -> None:
        declared: Nodes = node.get("properties", {})
        patterns: Iterable[tuple[Any, Node]] = node.get("patternProperties", ())
        rest = node.get("additionalProperties", True)
        others = [name for name in value if name not in declared] if patterns or rest is not True else []
        matching = {name: [child for matches, child in patterns if matches(name)] for name in others}
        if rest is False:
            for name in others:
                if not matching[name]:
                    self._say(at, "additionalProperties", f"has {preview(name)}, which is not allowed here")
        for name, child in declared.items():
            if name in value:
                place = f"{at}/{escape_token(name)}"
                self.judge(child, value[name], place)
                for matches, other in patterns:
                    if matches(name):
                        self.judge(other, value[name], place)
        for name in others:
            children = matching[name] or ([rest] if is_object(rest) else [])
            for child in children:
                self.judge(child, value[name], f"{at}/{escape_token(name)}")

    def _judge_parts(self, node: Node, value: Any, at: str) -> None:
        for part in node.get("allOf", ()):
            self.judge(part, value, at)
        for keyword in ("anyOf", "oneOf"):
            if keyword in node:
                self._judge_union(keyword, node[keyword], value, at)
        if "not" in node and self._accepts(node["not"], value):
            if node["not"]:
                self._fault(at, "not", 'must not match the schema in "not"', value)
            else:
                self._say(at, "not", "is not allowed here")
        if "if" in node:
            branch = node.get("then" if self._accepts(node["if"], value) else "else")
            if branch is not None:
                self.judge(branch, value, at)
        if is_object(value):
            for name, part in node.get("dependentSchemas", {}).items():
                if name in value:
                    self.judge(part, value, at)

    def _judge_union(self, keyword: str, members: list[Node], value: Any, at: str) -> None:
        accepting: list[Node] = []
        for member in members:
            if self._accepts(member, value):
                accepting.append(member)
                if keyword == "anyOf":
                    return
        if len(accepting) == 1:
            return
        if accepting:
            names = [member["$ref"] for member in accepting if len(member) == 1 and "$ref" in member]
            said = f" ({alternatives(names, 'and')})" if len(names) == len(accepting) else ""
            self._say(at, keyword, f"matches {len(accepting)} schemas here{said}, and only one may hold")
            return
        possible = [member for member in members if may_accept(member, value)]
        if not possible:
            self._fault(at, keyword, say_types(members), value)
        elif len(possible) == 1:
            self.judge(possible[0], value, at)
        else:
            self._judge_tagged(keyword, members, possible, value, at)

    def _judge_tagged(self, keyword: str, members: list[Node], possible: list[Node], value: Any, at: str) -> None:
        tag = find_tag(possible) if is_object(value) else None
        if tag is None:
            self._say(at, keyword, f"matches none of the {len(members)} schemas here")
            return
        name, texts = tag
        if name not in value:
            self._say(at, "required", f"lacks {preview(name)}")
            return
        given = value[name]
        for member, own in zip(possible, texts):
            if isinstance(given, str) and given in own:
                self.judge(member, value, at)
                return
        known = [preview(text) for own in texts for text in own]
        self._fault(f"{at}/{escape_token(name)}", "enum", f"must be {alternatives(known)}", given)


_BOUNDS: tuple[tuple[str, str, Callable[[Any, Any], bool]], ...] = (
    ("multipleOf", "a multiple of", lambda value, limit: not _is_multiple(value, limit)),
    ("minimum", ">=", lambda value, limit: value < limit),
    ("maximum", "<=", lambda value, limit: value > limit),
    ("exclusiveMinimum", ">", lambda value, limit: value <= limit),
    ("exclusiveMaximum", "<", lambda value, limit: value >= limit),
)


def _is_multiple(value: int | float, limit: int | float) -> bool:
    """Of decimals as they are written: 19.99 is a multiple of 0.01."""
    return (_exact(value) / _exact(limit)).denominator == 1


def _exact(value: int | float) -> Fraction:
    return Fraction(repr(float(value)) if isinstance(value, float) else value)


def _is_version(text: str) -> bool:
    """Whether it is the version of a schema, such as `task/v1`."""
    name, _, version = text.rpartition("/v")
    return name != "" and "/" not in name and version.isascii() and version.isdigit()


_literals: dict[int, frozenset[Any]] = {}


def _keys_of(literals: list[Any]) -> frozenset[Any]:
    """What the members of an `enum` are compared by."""
    keys = _literals.get(id(literals))
    if keys is None:
        keys = _literals[id(literals)] = frozenset(map(json_key, literals))
    return keys
