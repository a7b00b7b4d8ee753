"""Shared by all generated models: the base class, and JSON Schema's types and keywords for pydantic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Callable, TypeVar, Union, get_args

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError
from pydantic.annotated_handlers import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from rollout_wire import DEFINITIONS, UNSET, Unset, WireError, WireFault
from rollout_wire._faults import preview
from rollout_wire._json_io import dump_json, parse_json
from rollout_wire._record import short_repr
from rollout_wire._values import is_integer, is_number, is_object, is_tuple, to_int

if TYPE_CHECKING:
    from rollout_wire import JsonValue
    from typing_extensions import LiteralString

    Opaque = JsonValue
else:
    # Any JSON value, as it is. The recursive type would be checked, and copied, at every level.
    Opaque = Any

M = TypeVar("M", bound="WireModel")
T = TypeVar("T")


class WireModel(BaseModel):
    """Base of all generated models. They accept exactly the records that the JSON Schema accepts."""

    model_config = ConfigDict(
        strict=True,
        frozen=True,
        extra="allow",
        serialize_by_alias=True,
        use_attribute_docstrings=True,
        protected_namespaces=(),
        ser_json_inf_nan="constants",
        # Models are built when they are used, so that the import is quick.
        defer_build=True,
    )

    @classmethod
    def from_dict(cls: type[M], value: object) -> M:
        """Reads a parsed JSON object, like `model_validate`. Raises WireError with all faults."""
        try:
            return cls.model_validate(value)
        except ValidationError as error:
            # The dataclass of the same record lists the faults; a subclass has the name of none.
            record_type = next(DEFINITIONS[each.__name__] for each in cls.__mro__ if each.__name__ in DEFINITIONS)
            faults = record_type.find_faults(value)
            raise WireError(faults or [WireFault("", "type", str(error))]) from None

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON object, without absent fields. Opaque values are not copied."""
        fields: dict[str, Any] = {}
        for name, field in type(self).model_fields.items():
            value = getattr(self, name, UNSET)
            if value is not UNSET:
                fields[field.alias or name] = _to_plain(value)
        fields.update(self.model_extra or {})
        return fields

    @classmethod
    def from_json(cls: type[M], text: str | bytes | bytearray) -> M:
        """Reads one JSON text. Raises WireError if it is not JSON or not valid.

        It reads every text that the dataclasses read. pydantic's own parser (`model_validate_json`) refuses
        lone surrogates and very deep nesting, and reads NaN and infinity.
        """
        return cls.from_dict(parse_json(text))

    def to_json(self) -> str:
        """The record as one line of compact JSON, without the newline."""
        return dump_json(self.to_dict())

    def __repr__(self) -> str:
        """The fields that are present, on one line: nested values are folded and long ones cut."""
        # model_construct may leave out required fields.
        named = [(name, getattr(self, name, UNSET)) for name in type(self).model_fields]
        return short_repr(type(self).__name__, [*named, *(self.model_extra or {}).items()])

    def __str__(self) -> str:
        return repr(self)


def _to_plain(value: Any) -> Any:
    if isinstance(value, WireModel):
        return value.to_dict()
    if is_tuple(value):
        return [_to_plain(each) for each in value]
    if is_object(value) and any(isinstance(each, (WireModel, tuple)) for each in value.values()):
        return {key: _to_plain(each) for key, each in value.items()}
    return value


def absent(alias: str | None = None) -> Any:
    """The default of an optional field: UNSET, which is not written."""
    return Field(
        alias=alias, default_factory=lambda: UNSET, exclude_if=lambda value: value is UNSET
    )


class _LetUnsetPass:
    """Validates a value by its other types, unless it is UNSET."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        types = tuple(each for each in get_args(source) if each is not Unset)
        return core_schema.no_info_wrap_validator_function(
            self._validate, handler.generate_schema(Union[types])
        )

    def _validate(self, value: Any, validate: core_schema.ValidatorFunctionWrapHandler) -> Any:
        return value if value is UNSET else validate(value)


class Keyword:
    """A keyword of JSON Schema beside a type."""

    def __init__(
        self,
        keyword: LiteralString,
        limit: object,
        fails: Callable[[Any], bool],
        describe: Callable[[Any], str],
    ) -> None:
        self._keyword: LiteralString = keyword
        self._limit = limit
        self._fails = fails
        self._describe = describe

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._validate, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), self._keyword: self._limit}

    def _validate(self, value: Any) -> Any:
        if self._fails(value):
            raise PydanticCustomError(self._keyword, "{said}", {"said": self._describe(value)})
        return value


class Exactly(Keyword):
    """The same in place of pydantic's check of the type: Python and JSON differ in which numbers are equal."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {self._keyword: self._limit}


class _Whole(Exactly):
    """Reads 1.0 as 1."""

    def _validate(self, value: Any) -> Any:
        return to_int(super()._validate(value))


Integer = Annotated[
    int,
    _Whole(
        "type",
        "integer",
        lambda value: not is_integer(value),
        lambda value: f"must be an integer, is {preview(value)}",
    ),
]
Number = Annotated[
    float,
    Exactly(
        "type",
        "number",
        lambda value: not is_number(value),
        lambda value: f"must be a number, is {preview(value)}",
    ),
]
Array = Annotated[tuple[T, ...], Strict(False)]
"""A tuple, read from a list."""
OrUnset = Annotated[Union[T, Unset], _LetUnsetPass()]
"""The type of an optional field."""
