import { afterAll, expect, test } from "vitest";
import { generateFiles } from "./generate-files.js";
import { ExtraRepository } from "./testing/extra-repository.js";
import { EXTRA } from "./testing/extra-schema.js";
import { planOf } from "./testing/plan-of.js";

const repository = new ExtraRepository(EXTRA);
afterAll(() => repository.remove());

const VALID = {
  class: "abc",
  schema: "s",
  "odd-name": 1,
  description: "d",
  anything: [{}],
  flags: null,
  matrix: [[1, 2.5], []],
  inner: { "a/b~{c}": true, more: 1 },
  list: [{ x: 1 }, {}],
  counts: { a: 0, "b/c": 2 },
  maybe: "12\u00a0",
  hash: "52cb6b5e4a038af1",
  event: { event: "tool_call", data: { toolName: "t" } },
  leaves: [{ x: "x", seed: null }],
};

const INVALID: readonly (readonly [record: unknown, faults: readonly string[]])[] = [
  [{}, [" required"]],
  [[], [" type"]],
  [{ ...VALID, class: "abcd" }, ["/class maxLength"]],
  [{ ...VALID, class: "😀😀😀😀" }, ["/class maxLength"]],
  [{ ...VALID, "odd-name": 0 }, ["/odd-name exclusiveMinimum"]],
  [{ ...VALID, flags: false }, ["/flags enum"]],
  [{ ...VALID, flags: 1 }, ["/flags enum"]],
  [{ ...VALID, matrix: [] }, ["/matrix minItems"]],
  [{ ...VALID, matrix: [[], [], []] }, ["/matrix maxItems"]],
  [{ ...VALID, matrix: [[10]] }, ["/matrix/0/0 exclusiveMaximum", "/matrix/0/0 maximum"]],
  [{ ...VALID, matrix: [0] }, ["/matrix/0 type"]],
  [{ ...VALID, inner: { "a/b~{c}": 1 } }, ["/inner/a~1b~0{c} type"]],
  [{ ...VALID, list: [{ y: 1 }] }, ["/list/0 additionalProperties"]],
  [{ ...VALID, counts: { "b/c": -1 } }, ["/counts/b~1c minimum"]],
  [{ ...VALID, maybe: "12\n\n" }, ["/maybe pattern"]],
  [{ ...VALID, maybe: 12 }, ["/maybe type"]],
  [{ ...VALID, hash: "52cb6b5e4a038af1\n" }, ["/hash pattern"]],
  [{ ...VALID, event: { data: { toolName: 1 } } }, ["/event/data/toolName type"]],
  [{ ...VALID, leaves: [{ x: 1 }] }, ["/leaves/0/x type"]],
];

test("all targets support a second schema without code changes", async () => {
  const files = await repository.generate();
  const records = [VALID, ...INVALID.map(([record]) => record)];
  const expected = [[], ...INVALID.map(([, faults]) => [...faults].sort())];
  expect(await repository.validateInTypescript(records)).toEqual(expected);
  expect(repository.validateInPython(records)).toEqual(expected);
  const reference = files.find(({ path }) => path === "generated/reference/extra.md");
  expect(reference?.text).toContain("| `odd-name` | integer, > 0 | no | No identifier. |");
});

test("two runs give the same bytes", async () => {
  const { root } = repository;
  const first = await generateFiles(planOf(root));
  const second = await generateFiles(planOf(root));
  expect(second.files).toEqual(first.files);
  expect(first.files.length).toBeGreaterThan(20);
});
