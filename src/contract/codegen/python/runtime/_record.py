"""Shared by all generated dataclasses.

A decoder fills a draft, which has the slots of the dataclass but is not frozen, and then assigns
`__class__`: setting the fields of a frozen dataclass one by one takes several times as long.
"""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from importlib import import_module
from types import UnionType
from typing import Any, Iterable, Iterator, Mapping, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from ._faults import Invalid, WireError, WireFault
from ._json_io import dump_json, parse_json
from ._values import UNSET, JsonValue, Unset, is_array, is_tuple
from ._faults import preview

R = TypeVar("R", bound="Record")

_MAX_SHOWN = 40
"""Longest value in the repr of a record, in characters."""


class Record:
    """Base of all generated dataclasses: reading, writing and checking records."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        # dataclass makes a class with slots anew, but its own two methods know only the class before it.
        if "__dataclass_fields__" in vars(cls):
            setattr(cls, "__setattr__", _set_attribute)
            setattr(cls, "__delattr__", _delete_attribute)

    def __post_init__(self) -> None:
        # Not called for records from from_dict, which are already checked.
        slots = _own_fields(type(self))
        names = [name for name in slots if name not in ("unknown_fields", "_keys")]
        for name in slots:
            if isinstance(getattr(self, name), Iterator):
                raise WireError([WireFault(f"/{name}", "type", "must not be an iterator")])
        try:
            fields = self.to_dict()
        except (AttributeError, TypeError) as error:
            fault = WireFault("", "type", f"a field has another type: {error}")
            hints = record_hints(_generated_class(type(self))).items()
            found = [
                each
                for name, hint in hints
                for each in _find_misplaced(hint, getattr(self, name), f"/{name}")
            ]
            raise WireError(found or [fault]) from None
        for name in names:
            value, written = getattr(self, name), fields.get(name)
            # An opaque value is written as it is: a list stays a list.
            if not is_array(written) or written is value:
                continue
            if not is_array(value) and not is_tuple(value):
                fault = WireFault(f"/{name}", "type", f"must be an array, is {preview(value)}")
                raise WireError([fault])
            object.__setattr__(self, name, tuple(value))
        fields = {name: value for name, value in fields.items() if value is not UNSET}
        declared = sum(getattr(self, name) is not UNSET for name in names)
        if len(fields) < declared + len(getattr(self, "unknown_fields", ())):
            fault = WireFault("", "unknown_fields", "holds a field that the schema names")
            raise WireError([fault])
        try:
            self._decode(fields)
        except Invalid:
            raise WireError(self.find_faults(fields)) from None

    def __repr__(self) -> str:
        """The fields that are present, on one line: nested values are folded and long ones cut."""
        names: Iterable[str] = cast(Any, self).__dataclass_fields__
        present = {name: getattr(self, name, UNSET) for name in names}
        del present["_keys"]
        if not present.get("unknown_fields", True):
            del present["unknown_fields"]
        return short_repr(type(self).__name__, present.items())

    @classmethod
    def from_dict(cls: type[R], value: object) -> R:
        """Reads a parsed JSON object. Keeps unknown fields, key order, and the difference of absent and null.

        Raises WireError on exactly the values that the JSON Schema rejects.
        """
        try:
            record = cls._decode(value)
        except Invalid:
            raise WireError(cls.find_faults(value)) from None
        if isinstance(record, cls):
            return record
        return cls(**{name: getattr(record, name) for name in _own_fields(cls)})

    @staticmethod
    def _decode(value: object) -> Record:
        """The record of the generated class. Raises Invalid at the first fault."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON object; the inverse of from_dict. Opaque values are not copied."""
        raise NotImplementedError

    @classmethod
    def find_faults(cls, value: object) -> list[WireFault]:
        """All faults of a parsed JSON value; empty if it is valid."""
        raise NotImplementedError

    @classmethod
    def from_json(cls: type[R], text: str | bytes | bytearray) -> R:
        """Reads one JSON text. Raises WireError if it is not JSON or not valid."""
        return cls.from_dict(parse_json(text))

    def to_json(self) -> str:
        """The record as one line of compact JSON, without the newline."""
        return dump_json(self.to_dict())

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: object) -> Any:
        """How a field of this type in a pydantic model is read and written: by from_dict and to_dict."""

        def read(value: object) -> Record:
            return value if isinstance(value, cls) else cls.from_dict(value)

        # Imported here, so that only pydantic's users need it.
        core_schema: Any = import_module("pydantic_core.core_schema")
        return core_schema.no_info_plain_validator_function(
            read,
            serialization=core_schema.plain_serializer_function_ser_schema(cls.to_dict),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: object, handler: object) -> dict[str, Any]:
        return {"type": "object", "title": cls.__name__}


def record_hints(record_type: type[Record]) -> dict[str, Any]:
    """The type of each field."""
    hints = get_type_hints(record_type, localns={"JsonValue": JsonValue})
    return {name: hint for name, hint in hints.items() if name != "_keys"}


def only_type(hint: Any) -> Any:
    """The type of a field's value where it is present and not null; None if there are several."""
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    members = [each for each in choices if each not in (type(None), Unset)]
    return members[0] if len(members) == 1 else None


def _find_misplaced(hint: Any, value: Any, at: str) -> Iterator[WireFault]:
    """What stands in a value where its type demands a record, or an array of records."""
    demanded = only_type(hint)
    if value is UNSET or value is None:
        return
    if isinstance(demanded, type) and issubclass(demanded, Record):
        if not isinstance(value, demanded):
            name = demanded.__name__
            message = f"must be a {name}, is {preview(value)}: use {name}.from_dict"
            yield WireFault(at, "type", message)
    elif get_origin(demanded) is tuple:
        if not is_array(value) and not is_tuple(value):
            yield WireFault(at, "type", f"must be an array, is {preview(value)}")
            return
        for index, item in enumerate(value):
            yield from _find_misplaced(get_args(demanded)[0], item, f"{at}/{index}")


def _generated_class(record_type: type[Record]) -> type[Record]:
    """The class itself, or the one that it extends."""
    return next(each for each in record_type.__mro__ if Record in each.__bases__)


def _own_fields(record_type: type[Record]) -> tuple[str, ...]:
    """The fields of the generated class; a subclass may have more."""
    names: tuple[str, ...] = vars(_generated_class(record_type))["__slots__"]
    return names


def _set_attribute(record: Any, name: str, value: object) -> None:
    if name in record.__dataclass_fields__:
        raise FrozenInstanceError(f"cannot assign to field {name!r}: use dataclasses.replace")
    object.__setattr__(record, name, value)


def _delete_attribute(record: Any, name: str) -> None:
    if name in record.__dataclass_fields__:
        raise FrozenInstanceError(f"cannot delete field {name!r}: use dataclasses.replace")
    object.__delattr__(record, name)


def short_repr(name: str, fields: Iterable[tuple[str, Any]]) -> str:
    """The text of a record: `Name(field=value, ...)`, without absent fields."""
    shown = [f"{field}={_fold(value)}" for field, value in fields if value is not UNSET]
    return f"{name}({', '.join(shown)})"


def _fold(value: Any) -> str:
    if hasattr(value, "to_dict"):
        return f"{type(value).__name__}(...)"
    if isinstance(value, Mapping):
        size = len(cast("Mapping[str, Any]", value))
        return f"{{{size} {'key' if size == 1 else 'keys'}}}" if size else "{}"
    if is_tuple(value) or is_array(value):
        kinds = sorted({type(each).__name__ for each in value})
        return f"[{len(value)} x {' | '.join(kinds)}]" if value else "[]"
    if isinstance(value, str) and len(value) > _MAX_SHOWN:
        return f"{value[:_MAX_SHOWN]!r}..."
    try:
        text = repr(value)
    except ValueError:
        return "an integer of many digits"
    return text if len(text) <= _MAX_SHOWN or isinstance(value, str) else f"{text[:_MAX_SHOWN]}..."


def to_plain(value: Any) -> Any:
    """The JSON value of a field's value, whatever it is."""
    if isinstance(value, Record):
        return value.to_dict()
    if is_tuple(value):
        return [to_plain(each) for each in value]
    if isinstance(value, Mapping):
        return {key: to_plain(each) for key, each in cast("Mapping[str, Any]", value).items()}
    return value
