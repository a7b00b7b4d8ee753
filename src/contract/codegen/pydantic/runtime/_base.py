"""Shared by all generated models: the base class, and JSON Schema's types and keywords for pydantic."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Callable, Generic, Mapping, TypeVar, Union, get_args

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError, create_model, model_validator
from pydantic.annotated_handlers import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, PydanticCustomError, core_schema
from rollout_wire import DEFINITIONS, UNSET, Unset, WireError, WireFault
from rollout_wire._check import check, find_faults, find_node_faults
from rollout_wire._faults import Invalid
from rollout_wire._json_io import dump_json, parse_json
from rollout_wire._record import short_repr
from rollout_wire._values import is_integer, is_number, is_object, is_tuple, to_int

if TYPE_CHECKING:
    from rollout_wire import JsonValue

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
            # A subclass has the name of no definition.
            name = next(each.__name__ for each in cls.__mro__ if each.__name__ in DEFINITIONS)
            faults = find_faults(name, value)
            raise WireError(faults or [WireFault("", "type", str(error))]) from None

    def to_dict(self) -> dict[str, Any]:
        """The record as a JSON object, without absent fields. Opaque values are not copied."""
        fields: dict[str, Any] = {}
        for name, field in type(self).model_fields.items():
            value = getattr(self, name, UNSET)
            if value is not UNSET:
                fields[name if field.alias is None else field.alias] = _to_plain(value)
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


class Reader(Generic[T]):
    """Reads and writes the values of a definition that is no model, with the methods that models have."""

    def __init__(self, name: str, value_type: Any) -> None:
        self.__name__ = name
        self._type = value_type
        self._model: Any = None

    def from_dict(self, value: object) -> T:
        """Reads a parsed JSON value. Raises WireError with all faults."""
        if self._model is None:
            # A model with one field, because the types are meant for the configuration of models.
            self._model = create_model(self.__name__, __base__=WireModel, value=(self._type, ...))
        try:
            read: T = self._model.model_validate({"value": value}).value
            return read
        except ValidationError as error:
            faults = find_faults(self.__name__, value)
            raise WireError(faults or [WireFault("", "type", str(error))]) from None

    def to_dict(self, value: T) -> Any:
        """The value as JSON; the inverse of from_dict."""
        return _to_plain(value)

    def from_json(self, text: str | bytes | bytearray) -> T:
        """Reads one JSON text. Raises WireError if it is not JSON or not valid."""
        return self.from_dict(parse_json(text))

    def to_json(self, value: T) -> str:
        """The value as one line of compact JSON, without the newline."""
        return dump_json(self.to_dict(value))


def _to_plain(value: Any) -> Any:
    if isinstance(value, WireModel):
        return value.to_dict()
    if is_tuple(value):
        return [_to_plain(each) for each in value]
    if is_object(value) and _holds_typed(value):
        return {key: _to_plain(each) for key, each in value.items()}
    return value


def _holds_typed(value: Any) -> bool:
    """Whether a map has models or arrays, in maps at any depth. An opaque value has neither, and may be very deep."""
    pending = [value]
    for item in pending:
        if isinstance(item, (WireModel, tuple)):
            return True
        if is_object(item):
            pending += item.values()
    return False


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


def _refuse(fault: WireFault) -> PydanticCustomError:
    keyword: Any = fault.keyword
    return PydanticCustomError(keyword, "{said}", {"said": fault.message})


class Keyword:
    """Keywords of JSON Schema beside a type: as data, and as a function that is true if one of them fails."""

    def __init__(self, node: Mapping[str, Any], fails: Callable[[Any], bool]) -> None:
        self._node = node
        self._fails = fails

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_after_validator_function(self._validate, handler(source))

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return {**handler(schema), **self._keywords()}

    def _keywords(self) -> dict[str, Any]:
        # A pattern stands beside its test.
        return {name: value[0] if is_tuple(value) else value for name, value in self._node.items()}

    def _validate(self, value: Any) -> Any:
        if self._fails(value):
            # A tuple was an array.
            raise _refuse(find_node_faults(self._node, list(value) if is_tuple(value) else value)[0])
        return value


class Exactly(Keyword):
    """The same in place of pydantic's check of the type: Python and JSON differ in which numbers are equal."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_plain_validator_function(self._validate)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return self._keywords()


class _Whole(Exactly):
    """Reads 1.0 as 1."""

    def _validate(self, value: Any) -> Any:
        return to_int(super()._validate(value))


class Judged:
    """A value that is judged by the schema of this name before its type is looked at."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._validate, handler(source))

    def _validate(self, value: Any) -> Any:
        _judge(self._name, value)
        return value


class InOrder:
    """A union whose value becomes that of the first member that accepts it."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: Any = handler(source)
        if schema["type"] == "union":
            schema["mode"] = "left_to_right"
        ordered: CoreSchema = schema
        return ordered


def judged(name: str) -> Any:
    """The validator of a model that is judged by the schema of its definition as data."""

    def validate(cls: Any, value: Any) -> Any:
        if not isinstance(value, BaseModel):
            _judge(name, value)
        return value

    decorate: Any = model_validator(mode="before")
    return decorate(classmethod(validate))


def _judge(name: str, value: Any) -> None:
    try:
        check(name, _to_plain(value))
    except Invalid:
        raise _refuse(find_faults(name, _to_plain(value))[0]) from None


Integer = Annotated[int, _Whole({"type": ("integer",)}, lambda value: not is_integer(value))]
Number = Annotated[float, Exactly({"type": ("number",)}, lambda value: not is_number(value))]
Array = Annotated[tuple[T, ...], Strict(False)]
"""A tuple, read from a list."""
OrUnset = Annotated[Union[T, Unset], _LetUnsetPass()]
"""The type of an optional field."""
