import { describe, expect, test } from "vitest";
import { readFrozenSchema } from "../../../conformance/registry/testing/frozen-repository.js";
import { gradeCopy } from "./grade.js";

describe("gradeCopy", () => {
  const canonical = readFrozenSchema("rollout-wire").toString("utf8");
  /** The schemas that the canonical one refers to. */
  const others = [{ text: readFrozenSchema("rollout-trace").toString("utf8") }];

  function gradeOf(copy: string | undefined) {
    return gradeCopy({ canonical, copy, others, formats: "assert" });
  }

  function edited(from: string, to: string): string {
    expect(canonical).toContain(from);
    return canonical.replace(from, to);
  }

  test("line ends", () => {
    expect(gradeOf(canonical.replaceAll("\n", "\r\n"))).toEqual({ grade: "line-ends" });
  });

  test("identical", () => {
    expect(gradeOf(canonical)).toEqual({ grade: "identical" });
  });

  test.each([
    ["CRLF and a byte-order mark", `\ufeff${canonical.replaceAll("\n", "\r\n")}`],
    ["a byte-order mark", `\ufeff${canonical}`],
    ["no newline at the end", canonical.trimEnd()],
    ["one line", JSON.stringify(JSON.parse(canonical))],
    ["another spelling of a number", edited('"minimum": 0', '"minimum": 0.0')],
  ])("formatting: %s", (_what, copy) => {
    expect(gradeOf(copy)).toEqual({ grade: "formatting" });
  });

  test.each([
    ["another description", edited('"description": "', '"description": "Copied. ')],
    ["another $id", edited('"$id": "https://wasmagent.dev/', '"$id": "https://fork.example/')],
    ["a definition that nothing refers to", edited('"$defs": {', '"$defs": {"Unused": {},')],
  ])("documentation: %s", (_what, copy) => {
    expect(gradeOf(copy)).toEqual({ grade: "documentation" });
  });

  test("compatible: the contracts differ, but the comparison proves equivalence", () => {
    const copy = edited(
      '"type": "integer",\n          "minimum": 1',
      '"type": "integer",\n          "exclusiveMinimum": 0',
    );
    expect(gradeOf(copy)).toMatchObject({
      grade: "compatible",
      comparison: { backward: "compatible", forward: "compatible", bump: "patch" },
    });
  });

  test.each([
    ["accepts invalid records", edited('"minimum": 1', '"minimum": 0'), "forward"],
    ["rejects valid records", edited('"minimum": 1', '"minimum": 2'), "backward"],
  ] as const)("breaking: %s, with a record", (_what, copy, direction) => {
    const result = gradeOf(copy);
    if (result.grade !== "breaking") throw new Error(result.grade);
    const verdicts = result.comparison.entries.map((entry) => entry[direction]);
    const broken = verdicts.find(({ verdict }) => verdict === "breaking");
    expect(broken).toMatchObject({ witness: { rank: expect.any(Number) } });
  });

  test("undecided: an undecidable difference is reported", () => {
    const pattern = (text: string) => JSON.stringify({ type: "string", pattern: text });
    const result = gradeCopy({
      canonical: pattern("^(a+)b\\1$"),
      copy: pattern("^(a+)b\\1{1}$"),
      others: [],
      formats: "assert",
    });
    expect(result.grade).toBe("undecided");
  });

  test("missing and unexpected", () => {
    expect(gradeOf(undefined)).toEqual({ grade: "missing" });
    const pair = { canonical: undefined, others: [], formats: "assert" } as const;
    expect(gradeCopy({ ...pair, copy: canonical })).toEqual({ grade: "unexpected" });
    expect(gradeCopy({ ...pair, copy: undefined })).toEqual({ grade: "missing" });
  });

  test.each([
    ["<<<<<<< HEAD\n{}", "is not JSON: unexpected"],
    [edited("{", '{ "$id": "",'), '/$id has a second value under the key "$id"'],
    ['{"type": 5}', "is not a schema of draft 2020-12"],
    ['{"$schema": "http://json-schema.org/draft-03/schema#"}', "draft-03"],
    ['{"$ref": "#/$defs/Nowhere"}', '"$ref" cannot be resolved'],
    ["[]", "is not a schema"],
  ])("unreadable: %.20s", (copy, because) => {
    expect(gradeOf(copy)).toMatchObject({
      grade: "unreadable",
      because: expect.stringContaining(because),
    });
  });

  test("an invalid canonical schema throws", () => {
    const pair = { canonical: "{", copy: "{}", others: [], formats: "assert" } as const;
    expect(() => gradeCopy(pair)).toThrow("is not JSON");
  });
});
