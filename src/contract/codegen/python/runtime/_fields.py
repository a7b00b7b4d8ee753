"""The code of the classes of a large package, whose own functions would take type checkers minutes."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence, Tuple

from ._check import check, find_faults
from ._faults import WireFault
from ._record import Record
from ._values import NO_FIELDS, UNSET, in_key_order

Convert = Callable[[Any], Any]

Field = Tuple[str, str, Optional[Convert], Optional[Convert]]
"""The key of a field, its name in Python, and what decodes and encodes its value, unless that stays the same."""


def code_of(cls: Any, fields: Sequence[Field], *, is_open: bool) -> tuple[Convert, Convert]:
    """Gives a class its methods. Returns its functions: `decode` checks a value first, `build` takes a valid one."""
    name: str = cls.__name__
    known = frozenset(key for key, _, _, _ in fields)
    draft: Any = type(f"_{name}Draft", (Record,), {"__slots__": cls.__slots__})

    def build(value: Any) -> Any:
        record = draft()
        for key, attribute, convert, _ in fields:
            given = value.get(key, UNSET)
            if given is not UNSET and convert is not None:
                given = convert(given)
            setattr(record, attribute, given)
        others = {key: value[key] for key in value if key not in known}
        if is_open:
            record.unknown_fields = others or NO_FIELDS
        record._keys = (UNSET, *value) if others or not is_open else tuple(value)
        record.__class__ = cls
        return record

    def decode(value: Any) -> Any:
        check(name, value)
        return build(value)

    def to_dict(self: Any) -> dict[str, Any]:
        written: dict[str, Any] = {}
        for key, attribute, _, convert in fields:
            given = getattr(self, attribute)
            if given is not UNSET:
                written[key] = given if convert is None else convert(given)
        if is_open and self.unknown_fields is not NO_FIELDS:
            written.update(self.unknown_fields)
        return in_key_order(written, self._keys)

    def find(_: Any, value: object) -> list[WireFault]:
        return find_faults(name, value)

    cls._decode = staticmethod(decode)
    cls.find_faults = classmethod(find)
    cls.to_dict = to_dict
    return decode, build
