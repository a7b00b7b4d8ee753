"""Rows for data frames: plain values in columns of one type each."""

from __future__ import annotations

from importlib import import_module
from typing import (
    Any,
    Iterable,
    Iterator,
    Literal,
    NamedTuple,
    Type,
    get_args,
    get_origin,
)

from ._json_io import dump_json
from ._record import Record, only_type, record_hints, to_plain
from ._values import UNSET

_SCALARS: dict[Any, Literal["string", "int64", "float64", "bool_"]] = {
    str: "string",
    int: "int64",
    float: "float64",
    bool: "bool_",
}
"""The scalar types, and how Arrow names them."""


class _Column(NamedTuple):
    """A column of a table, or a field of a struct."""

    name: str
    kind: _Kind


# Methods, not functions: `datasets` cannot hash a generator that leads to functions which call each other.
class _Kind(NamedTuple):
    """The type of a column, and how values become that type."""

    name: Literal["string", "int64", "float64", "bool_", "json", "list", "struct"]
    item: _Kind | None = None
    """Of a list."""
    columns: tuple[_Column, ...] = ()
    """Of a struct."""

    @classmethod
    def of_record(cls, record_type: Type[Record]) -> _Kind:
        columns = [_Column(name, cls.of_hint(hint)) for name, hint in record_hints(record_type).items()]
        return cls("struct", columns=tuple(columns))

    @classmethod
    def of_hint(cls, hint: Any) -> _Kind:
        member = only_type(hint)
        if get_origin(member) is Literal:
            kinds: set[Any] = {type(value) for value in get_args(member) if value is not None}
            return cls.of_hint(kinds.pop()) if len(kinds) == 1 else cls("json")
        if get_origin(member) is tuple:
            return cls("list", item=cls.of_hint(get_args(member)[0]))
        if isinstance(member, type) and issubclass(member, Record):
            return cls.of_record(member)
        return cls(_SCALARS.get(member, "json"))

    def convert(self, value: Any) -> Any:
        if value is UNSET or value is None:
            return None
        if self.name == "struct":
            row = {name: kind.convert(getattr(value, name)) for name, kind in self.columns}
            if row.get("unknown_fields") == "{}":
                row["unknown_fields"] = None
            return row
        if self.item is not None:
            convert = self.item.convert
            return [convert(each) for each in value]
        if self.name == "json":
            return dump_json(to_plain(value))
        return float(value) if self.name == "float64" else value

    def to_arrow(self, arrow: Any) -> Any:
        if self.item is not None:
            return arrow.list_(self.item.to_arrow(arrow))
        if self.name == "struct":
            return arrow.struct([(name, kind.to_arrow(arrow)) for name, kind in self.columns])
        return arrow.string() if self.name == "json" else getattr(arrow, self.name)()


_KINDS: dict[Any, _Kind] = {}
"""By the type of the record."""


def _require_record(record_type: type, what: str, found: str) -> None:
    if not issubclass(record_type, Record):
        raise TypeError(f"{what} must be a dataclass of rollout_wire, is {found}")


def to_rows(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    """Each record as a row of a table: a dict of plain values with a key for every field, in the schema's order.

    Absent fields are None. Nested records are dicts, tuples are lists, and numbers that need not be whole
    are floats. A value whose type varies (opaque JSON, a choice of types, `unknown_fields`) is JSON text,
    because a column has one type; `unknown_fields` is None if there are none. Raises TypeError for what is no
    record.
    """
    for number, record in enumerate(records, start=1):
        record_type = type(record)
        kind = _KINDS.get(record_type)
        if kind is None:
            _require_record(record_type, f"record {number}", f"a {record_type.__name__}")
            kind = _KINDS[record_type] = _Kind.of_record(record_type)
        yield kind.convert(record)


def arrow_schema(record_type: Type[Record]) -> Any:
    """The `pyarrow.Schema` of the rows of a record type, so that no reader has to guess it from values.

    Raises ImportError without pyarrow, and TypeError for what is no record type.
    """
    _require_record(record_type, "record_type", record_type.__name__)
    try:
        arrow: Any = import_module("pyarrow")
    except ImportError:
        raise ImportError("arrow_schema needs pyarrow: pip install pyarrow") from None
    return arrow.schema(list(_Kind.of_record(record_type).to_arrow(arrow)))
