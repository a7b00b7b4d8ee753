"""Validates records with the package jsonschema:  python3 adapter.py path/to/schema"""
import json, re, sys
from pathlib import Path
from jsonschema import Draft202012Validator, ValidationError, validators
from referencing import Registry, Resource

sys.set_int_max_str_digits(0)  # integers of any length,
sys.setrecursionlimit(100_000)  # and values of any depth, are JSON too

schemas = [json.loads(file.read_text("utf-8")) for file in Path(sys.argv[1]).glob("*.schema.json")]
registry = Registry().with_resources((s["$id"], Resource.from_contents(s)) for s in schemas)

def is_number(_, value):  # a number must not exceed a double
    return type(value) in (int, float) and abs(value) <= sys.float_info.max

def is_integer(_, value):  # 1.0 is an integer
    return is_number(_, value) and value == int(value)

def pattern(_, pattern, value, schema):  # Python's $ also matches before a final newline
    if isinstance(value, str) and not re.search(pattern.replace("$", r"\Z"), value):
        yield ValidationError("does not match")

numbers = {"number": is_number, "integer": is_integer}
checker = Draft202012Validator.TYPE_CHECKER.redefine_many(numbers)
Validator = validators.extend(Draft202012Validator, {"pattern": pattern}, type_checker=checker)
definitions = {name: f"{s['$id']}#/$defs/{name}" for s in schemas for name in s["$defs"]}
by_name = {n: Validator({"$ref": ref}, registry=registry) for n, ref in definitions.items()}

def to_pointer(path):
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)

count = 0
for count, line in enumerate(sys.stdin.buffer, 1):
    request = json.loads(line)
    found = by_name[request["type"]].iter_errors(request["record"])
    errors = [{"pointer": to_pointer(e.absolute_path), "keyword": e.validator} for e in found]
    print(json.dumps({"id": request["id"], "valid": not errors, "errors": errors}))
print(json.dumps({"summary": {"count": count}}))
