import { expect, test } from "vitest";
import { gradeByHashes } from "./hash-grade.js";
import { hashArtefact } from "./lock.js";

const schema = '{\n  "type": "object",\n  "title": "A"\n}\n';
const records = '{"a":1}\n{"a":2}\n';

test.each([
  ["identical", schema],
  ["line-ends", schema.replaceAll("\n", "\r\n")],
  // A merge can mix line ends.
  ["line-ends", schema.replace("\n", "\r\n")],
  ["formatting", schema.replaceAll("\n", "\r\n\r\n")],
  ["documentation", schema.replace('"A"', '"B"')],
  ["changed", schema.replace("object", "array")],
  ["missing", undefined],
])("a copy of a schema that is %s", (grade, copy) => {
  expect(gradeByHashes(hashArtefact("schema", schema), copy)).toEqual({ grade });
});

test("an unreadable copy of a schema, with the position", () => {
  expect(gradeByHashes(hashArtefact("schema", schema), schema.slice(0, -3))).toMatchObject({
    grade: "unreadable",
    because: expect.stringContaining("is not JSON"),
    fault: { id: "json" },
  });
});

test.each([
  ["identical", records],
  ["formatting", `\ufeff${records.replaceAll("\n", "\r\n")}`],
  ["line-ends", records.replaceAll("\n", "\r\n")],
  ["formatting", records.trimEnd()],
  ["formatting", `${records}\n`],
  ["changed", records.replace("2", "3")],
  // Only schemas are compared as JSON; other files are compared as bytes.
  ["changed", records.replace(":", ": ")],
  ["missing", undefined],
])("a copy of another file that is %s", (grade, copy) => {
  expect(gradeByHashes(hashArtefact("fixture", records), copy)).toEqual({ grade });
});

test("an original with CRLF, whose copy in git has LF", () => {
  const hashes = hashArtefact("fixture", records.replaceAll("\n", "\r\n"));
  expect(gradeByHashes(hashes, records)).toEqual({ grade: "line-ends" });
  expect(gradeByHashes(hashes, records.replace("2", "3"))).toEqual({ grade: "changed" });
});

test("an empty file", () => {
  const hashes = hashArtefact("generated", "");
  expect(gradeByHashes(hashes, "").grade).toBe("identical");
  expect(gradeByHashes(hashes, "\n").grade).toBe("formatting");
  expect(gradeByHashes(hashes, "\r\n").grade).toBe("formatting");
  expect(gradeByHashes(hashes, "x").grade).toBe("changed");
});

test("bytes that are not text", () => {
  const hashes = hashArtefact("schema", schema);
  expect(gradeByHashes(hashes, Uint8Array.of(0xff)).grade).toBe("unreadable");
  expect(gradeByHashes(hashes, Buffer.from(schema)).grade).toBe("identical");
});
