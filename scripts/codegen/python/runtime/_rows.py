"""Rows for data frames: plain values in columns of one type each."""

from __future__ import annotations

import types
from importlib import import_module
from typing import (
    Any,
    Callable,
    Iterable,
    Iterator,
    Literal,
    NamedTuple,
    Type,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from ._json import dump_json
from ._record import Record, to_plain
from ._values import UNSET, JsonValue, Unset

_SCALARS: dict[Any, Literal["string", "int64", "float64", "bool_"]] = {
    str: "string",
    int: "int64",
    float: "float64",
    bool: "bool_",
}
"""The scalar types, and how Arrow names them."""


_CONVERTERS: dict[Any, Callable[[Any], dict[str, Any]]] = {}
"""What makes rows of records, by the type of the records."""


class _Kind(NamedTuple):
    """The type of a column, of an item of a list, or of a field of a struct."""

    name: Literal["string", "int64", "float64", "bool_", "json", "list", "struct"]
    item: _Kind | None = None
    columns: tuple[_Column, ...] = ()


class _Column(NamedTuple):
    name: str
    kind: _Kind


def to_rows(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Each record as a row of a table: a dict of plain values with a key for every field, in the schema's order.

    Absent fields are None. Nested records are dicts, tuples are lists, and numbers that need not be whole
    are floats. A value whose type varies (opaque JSON, a choice of types, `unknown_fields`) is JSON text,
    because a column has one type; `unknown_fields` is None if there are none.
    """
    for record in records:
        record_type = type(record)
        convert = _CONVERTERS.get(record_type)
        if convert is None:
            convert = _struct_converter(_columns(record_type))
            _CONVERTERS[record_type] = convert
        yield convert(record)


def arrow_schema(record_type: Type[Record]) -> Any:
    """The `pyarrow.Schema` of the rows of a record type, so that no reader has to guess it from values.

    Raises ImportError without pyarrow.
    """
    try:
        arrow: Any = import_module("pyarrow")
    except ImportError:
        raise ImportError("arrow_schema needs pyarrow: pip install pyarrow") from None
    return arrow.schema([(name, _arrow_type(arrow, kind)) for name, kind in _columns(record_type)])


def _arrow_type(arrow: Any, kind: _Kind) -> Any:
    if kind.item is not None:
        return arrow.list_(_arrow_type(arrow, kind.item))
    if kind.name == "struct":
        return arrow.struct([(name, _arrow_type(arrow, each)) for name, each in kind.columns])
    return arrow.string() if kind.name == "json" else getattr(arrow, kind.name)()


def _columns(record_type: Type[Record]) -> tuple[_Column, ...]:
    hints = get_type_hints(record_type, localns={"JsonValue": JsonValue})
    return tuple(_Column(name, _kind_of(hint)) for name, hint in hints.items() if name != "_keys")


def _kind_of(hint: Any) -> _Kind:
    members = [each for each in _members(hint) if each not in (type(None), Unset)]
    if len(members) != 1:
        return _Kind("json")
    (member,) = members
    if get_origin(member) is Literal:
        kinds: set[Any] = {type(value) for value in get_args(member) if value is not None}
        return _kind_of(kinds.pop()) if len(kinds) == 1 else _Kind("json")
    if get_origin(member) is tuple:
        return _Kind("list", item=_kind_of(get_args(member)[0]))
    if isinstance(member, type) and issubclass(member, Record):
        return _Kind("struct", columns=_columns(member))
    return _Kind(_SCALARS[member]) if member in _SCALARS else _Kind("json")


def _members(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _struct_converter(columns: tuple[_Column, ...]) -> Callable[[Any], dict[str, Any]]:
    converters = [(name, _value_converter(kind)) for name, kind in columns]

    def convert(record: Any) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for name, convert_value in converters:
            value = getattr(record, name)
            is_absent = value is UNSET or value is None
            row[name] = None if is_absent else convert_value(value)
        if row.get("unknown_fields") == "{}":
            row["unknown_fields"] = None
        return row

    return convert


def _value_converter(kind: _Kind) -> Callable[[Any], Any]:
    if kind.name == "struct":
        return _struct_converter(kind.columns)
    if kind.item is not None:
        convert = _value_converter(kind.item)
        return lambda values: [None if each is None else convert(each) for each in values]
    if kind.name == "json":
        return lambda value: dump_json(to_plain(value))
    return float if kind.name == "float64" else lambda value: value
