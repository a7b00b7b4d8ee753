import { describe, expect, test } from "vitest";
import { compareVersions } from "./compare-versions.js";
import { loadVersion } from "./load-version.js";

/** Names that every object inherits a value for, or that are setters. */
const NAMES = ["__proto__", "constructor", "hasOwnProperty", "toString", "valueOf"];

type Edit = readonly [title: string, before: string, after: string, expected: string];

/** Each with the verdicts backward and forward; % stands for the name. */
const EDITS: readonly Edit[] = [
  ["required", "{}", '{"required": ["%"]}', "breaking compatible"],
  ["properties", '{"properties": {"%": {"type": "string"}}}', "{}", "compatible breaking"],
  [
    "properties of another type",
    '{"properties": {"%": {"type": "string"}}, "required": ["%"]}',
    '{"properties": {"%": {"type": "integer"}}, "required": ["%"]}',
    "breaking breaking",
  ],
  [
    "a closed object",
    '{"type": "object", "properties": {"a": {}}, "additionalProperties": false}',
    '{"type": "object", "properties": {"a": {}, "%": {}}, "additionalProperties": false}',
    "compatible breaking",
  ],
  [
    "dependentRequired by the name",
    "{}",
    '{"dependentRequired": {"%": ["b"]}}',
    "breaking compatible",
  ],
  [
    "dependentRequired of the name",
    '{"dependentRequired": {"b": ["a"]}}',
    '{"dependentRequired": {"b": ["a", "%"]}}',
    "breaking compatible",
  ],
  [
    "dependentSchemas",
    '{"dependentSchemas": {"%": {"minProperties": 2}}}',
    '{"dependentSchemas": {"%": {"minProperties": 3}}}',
    "breaking compatible",
  ],
  [
    "patternProperties",
    '{"patternProperties": {"%": {"type": "string"}}}',
    '{"patternProperties": {"%": {"type": "integer"}}}',
    "breaking breaking",
  ],
  [
    "$defs",
    '{"$defs": {"%": {"type": "number"}}, "items": {"$ref": "#/$defs/%"}}',
    '{"$defs": {"%": {"type": "integer"}}, "items": {"$ref": "#/$defs/%"}}',
    "breaking compatible",
  ],
  [
    "record types",
    '{"$defs": {"%": {"required": ["a"]}, "b": {"type": "null"}}, "anyOf": [{"$ref": "#/$defs/%"}, {"$ref": "#/$defs/b"}]}',
    '{"$defs": {"%": {"required": ["b"]}, "b": {"type": "null"}}, "anyOf": [{"$ref": "#/$defs/%"}, {"$ref": "#/$defs/b"}]}',
    "breaking breaking",
  ],
  ["const", '{"const": {"%": 1}}', '{"const": {"%": 2}}', "breaking breaking"],
  ["const without it", '{"const": {}}', '{"const": {"%": {}}}', "breaking breaking"],
  [
    "const in an array",
    '{"const": [{"%": {"%": 1}}]}',
    '{"enum": [1, [{"%": {"%": 1}}]]}',
    "compatible breaking",
  ],
  ["enum", '{"enum": [{"%": "a"}, 1]}', '{"enum": [{"%": "b"}, 1]}', "breaking breaking"],
  [
    "enum in another order",
    '{"enum": [{"%": {"a": 1}, "b": []}, 1]}',
    '{"enum": [1, {"b": [], "%": {"a": 1.0}}]}',
    "compatible compatible",
  ],
  [
    "propertyNames",
    '{"propertyNames": {"enum": ["a", "%"]}}',
    '{"propertyNames": {"enum": ["a"]}}',
    "breaking compatible",
  ],
  ["not", '{"not": {"required": ["%"]}}', '{"type": "object"}', "compatible breaking"],
  ["a keyword of that name", '{"%": 1}', '{"%": 1, "type": "null"}', "breaking compatible"],
  ["such a keyword added", "{}", '{"%": 1}', "compatible compatible"],
];

describe.each(NAMES)("%s in", (name) => {
  test.each(EDITS)("%s", (_, before, after, expected) => {
    const [older, newer] = [before, after].map((text) => {
      const source = { name: "a.json", text: text.replaceAll("%", name), others: [] };
      return loadVersion(source, "annotate").root;
    });
    if (older === undefined || newer === undefined) throw new TypeError("two versions are needed");
    const { backward, forward } = compareVersions(older, newer);
    expect(`${backward} ${forward}`).toBe(expected);
  });
});
