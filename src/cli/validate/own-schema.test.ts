import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

async function validate(...argv: string[]) {
  const { exitCode, stdout, stderr } = await folder.run(["validate", "a.jsonl", ...argv]);
  return { exitCode, stderr, found: stdout.split("\n").slice(0, -1).map(squeeze) };
}

function squeeze(line: string): string {
  return line.replaceAll(/ {2,}/g, "  ");
}

const EVENT = {
  $defs: {
    Event: {
      type: "object",
      required: ["kind"],
      properties: { kind: { enum: ["a", "b"] }, at: { $ref: "times.json#/definitions/time" } },
    },
  },
};

test("findings have the keyword, the pointer and the column", async () => {
  folder.write("event.json", JSON.stringify(EVENT));
  folder.write("times.json", JSON.stringify({ definitions: { time: { minimum: 5 } } }));
  folder.write(
    "a.jsonl",
    '{"kind":"a","at":7}\n{"at":7}\n\n{"kind":"c","at":1}\n[]\nNaN\n{"kind":"a","kind":"b"}\n',
  );
  expect(await validate("--schema", "event.json#/$defs/Event")).toEqual({
    exitCode: EXIT.findings,
    stderr: expect.stringMatching(/^6 errors, 0 warnings in 6 records/),
    found: [
      'a.jsonl:2:1  (line)  lacks "kind"  (required)',
      'a.jsonl:4:9  /kind  must be "a" or "b", is "c"  (enum)',
      "a.jsonl:4:18  /at  must be >= 5, is 1  (minimum)",
      "a.jsonl:5:1  (line)  must be an object, is an empty array  (type)",
      "a.jsonl:6:1  (line)  not JSON: unexpected NaN  (json)",
      'a.jsonl:7:13  /kind  a second value under the key "kind"  (duplicate-key)',
    ],
  });
  const lenient = await validate(
    "--schema",
    "event.json#/$defs/Event",
    "--rule",
    "duplicate-key=off",
  );
  expect(lenient.found.length).toBe(5);
});

test.each([
  ["http://json-schema.org/draft-06/schema#", { items: [{ type: "string" }] }],
  ["http://json-schema.org/draft-07/schema#", { items: [{ type: "string" }] }],
  ["https://json-schema.org/draft/2019-09/schema", { items: [{ type: "string" }] }],
  ["https://json-schema.org/draft/2020-12/schema", { prefixItems: [{ type: "string" }] }],
])("%s, and records that are no objects", async ($schema, rest) => {
  folder.write("s.json", JSON.stringify({ $schema, type: "array", ...rest }));
  folder.write("a.jsonl", '["a"]\n["b", 1]\n [ 1 ]\n"c"');
  expect((await validate("--schema", "s.json")).found).toEqual([
    "a.jsonl:3:4  /0  must be a string, is 1  (type)",
    'a.jsonl:4:1  (line)  must be an array, is "c"  (type)',
  ]);
});

test("references may begin in another folder", async () => {
  mkdirSync(join(folder.path, "shared"));
  folder.write("shared/x.schema.json", '{"type":"integer"}');
  folder.write("s.json", '{"properties":{"x":{"$ref":"https://example.org/x.schema.json"}}}');
  folder.write("a.jsonl", '{"x":1.5}');
  expect((await validate("--schema", "s.json", "--schemas", "shared")).found).toEqual([
    "a.jsonl:1:6  /x  must be an integer, is 1.5  (type)",
  ]);
  expect(await validate("--schema", "s.json")).toMatchObject({
    exitCode: EXIT.unreadable,
    stderr: expect.stringMatching(
      /^s\.json \/properties\/x: https:\/\/example\.org\/x\.schema\.json is not here .*--schemas/,
    ),
  });
});

test("a record that takes the schema too long is an error, not a crash", async () => {
  const twice = (name: string) => ({
    allOf: [{ $ref: `#/$defs/${name}` }, { $ref: `#/$defs/${name}` }],
  });
  const levels = Array.from({ length: 20 }, (_, level) => [`a${level + 1}`, twice(`a${level}`)]);
  const $defs = { a0: {}, ...Object.fromEntries(levels) };
  folder.write("s.json", JSON.stringify({ $ref: "#/$defs/a20", $defs }));
  folder.write("a.jsonl", "{}");
  expect((await validate("--schema", "s.json")).found).toEqual([
    "a.jsonl:1:1  (line)  cannot be checked: the schema takes too long on it  (undecided)",
  ]);
});

test.each([
  [["--schema", "none.json"], EXIT.unreadable, "none.json: no such file"],
  [["--schema", "loop.json"], EXIT.unreadable, "loop.json /not: refers to itself without end"],
  [["--schema", "broken.json"], EXIT.unreadable, "broken.json"],
  [["--schema", "s.json#/$defs/None"], EXIT.unreadable, "has no schema at #/$defs/None"],
  [["--schema", "s.json", "--type", "DpoRecord"], EXIT.usage, "cannot be used with"],
  [["--schemas", "."], EXIT.usage, "--schemas requires --schema"],
])("%j is refused in one line", async (argv, exitCode, message) => {
  folder.write("broken.json", "{");
  folder.write("loop.json", '{"not":{"$ref":"#"}}');
  folder.write("s.json", "{}");
  folder.write("a.jsonl", "{}");
  const refused = await validate(...argv);
  expect([refused.exitCode, refused.found]).toEqual([exitCode, []]);
  expect(refused.stderr).toContain(message);
  expect(refused.stderr.trimEnd()).not.toContain("\n");
});

test("a file is required", async () => {
  const { exitCode, stderr } = await folder.run(["validate", "--schema", "s.json"]);
  expect(exitCode).toBe(EXIT.usage);
  expect(stderr).toContain("--schema needs a file to check");
});

test("format is asserted where the configuration above says so", async () => {
  mkdirSync(join(folder.path, "schemas"));
  folder.write("schemas/s.json", JSON.stringify({ properties: { id: { format: "uuid" } } }));
  folder.write("a.jsonl", '{"id":"x"}\n');
  const configure = (formats: string) => {
    const outputs = [{ target: "reference", folder: "generated" }];
    const schemas = { sources: ["schemas/*.json"], formats, outputs };
    const config = { config_version: "config/v1", repository: "a", artefacts: [], schemas };
    folder.write("rollout-wire.config.json", JSON.stringify(config));
  };
  const annotated = {
    exitCode: EXIT.ok,
    stderr: expect.stringMatching(
      /^format is an annotation in this schema and not checked.*\n0 err/,
    ),
    found: [],
  };
  expect(await validate("--schema", "schemas/s.json")).toEqual(annotated);
  configure("annotate");
  expect(await validate("--schema", "schemas/s.json")).toEqual(annotated);
  configure("assert");
  expect(await validate("--schema", "schemas/s.json")).toEqual({
    exitCode: EXIT.findings,
    stderr: expect.stringMatching(/^1 error/),
    found: [expect.stringMatching(/^a\.jsonl:1:7 {2}\/id .*\(format\)$/)],
  });
});
