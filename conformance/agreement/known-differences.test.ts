import { expect, test } from "vitest";
import type { AdapterFault } from "#generated/index.js";
import { knownDifferences } from "./known-differences.js";

test("every known difference has its own id, and a reason with its source", () => {
  expect(new Set(knownDifferences.map(({ id }) => id)).size).toBe(knownDifferences.length);
  for (const { reason } of knownDifferences) expect(reason).toMatch(/RFC \d+|JSON Schema \(/);
});

interface Sample {
  readonly id: string;
  /** The record as JSON text. */
  readonly text: string;
  readonly ours: readonly AdapterFault[];
  readonly theirs: readonly AdapterFault[];
}

const fault = (pointer: string, keyword: string): AdapterFault => ({ pointer, keyword });
/** Infinite for JavaScript. */
const HUGE = "1".repeat(310);

const unreadable = [fault("", "json")];
const nested = (depth: number): string => `{"a":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;

function explains({ id, text, ours, theirs }: Sample): boolean {
  const known = knownDifferences.find((each) => each.id === id);
  const record: unknown = JSON.parse(text);
  const toVerdict = (errors: readonly AdapterFault[]) => ({
    id: 0,
    valid: errors.length === 0,
    errors: [...errors],
  });
  const [left, right] = [toVerdict(ours), toVerdict(theirs)];
  return [...ours, ...theirs].every((each) =>
    known?.explains({ fault: each, record, text, ours: left, theirs: right }),
  );
}

test.each<Sample>([
  { id: "deep-nesting", text: nested(255), ours: [fault("/a", "type")], theirs: unreadable },
  { id: "deep-nesting", text: nested(256), ours: [fault("/a", "type")], theirs: [] },
  { id: "infinite-number", text: '{"a":1e300}', ours: [fault("/a", "type")], theirs: [] },
  { id: "infinite-number", text: '{"a":1e400}', ours: [fault("/a", "enum")], theirs: [] },
  { id: "infinite-number", text: '{"a":1e400}', ours: [fault("", "required")], theirs: [] },
  {
    id: "lone-surrogate",
    text: '{"a":"\\ud83d\\ude00"}',
    ours: [fault("/a", "enum")],
    theirs: unreadable,
  },
  { id: "lone-surrogate", text: '{"a":"\\ud800"}', ours: [fault("/a", "enum")], theirs: [] },
  { id: "draft-04-integer", text: '{"a":1}', ours: [], theirs: [fault("/a", "type")] },
  { id: "draft-04-integer", text: '{"a":1.0}', ours: [], theirs: [fault("/a", "minimum")] },
  { id: "line-separator", text: '{"a":"b"}', ours: [fault("/a", "pattern")], theirs: [] },
  {
    id: "members-as-methods",
    text: '{"toString":1}',
    ours: [],
    theirs: [fault("", "uniqueItems")],
  },
  { id: "nested-definition", text: nested(90), ours: [fault("", "nesting")], theirs: [] },
  {
    id: "number-beyond-double",
    text: '{"a":9007199254740993}',
    ours: [],
    theirs: [fault("/a", "type")],
  },
  { id: "draft-04-integer", text: '{"a":1,"b":"1.0"}', ours: [], theirs: [fault("/a", "type")] },
  { id: "draft-04-integer", text: '{"a":1,"b":1.0}', ours: [], theirs: [fault("/a", "type")] },
  { id: "draft-04-integer", text: '{"a":1.0}', ours: [fault("/a", "type")], theirs: [] },
  { id: "infinite-number", text: `{"a":${HUGE}}`, ours: [], theirs: [fault("/a", "type")] },
  { id: "infinite-number", text: `{"a":${HUGE}}`, ours: [fault("/a", "maximum")], theirs: [] },
  { id: "number-beyond-double", text: '{"a":1e400}', ours: [fault("/a", "maximum")], theirs: [] },
  {
    id: "number-beyond-double",
    text: '{"a":9007199254740992}',
    ours: [fault("/a", "maximum")],
    theirs: [],
  },
  { id: "number-beyond-double", text: '{"a":9}', ours: [], theirs: [fault("/a", "maximum")] },
  { id: "content", text: '{"a":"{"}', ours: [], theirs: [fault("/a", "oneOf")] },
  { id: "format", text: '{"a":"2024-02-29"}', ours: [], theirs: [fault("/a", "pattern")] },
  { id: "format", text: '{"a":{"b":"c@d"}}', ours: [], theirs: [fault("/a", "anyOf")] },
  { id: "format", text: '{"a":"2024-02-29T00:00:00Z"}', ours: [], theirs: [fault("/a", "anyOf")] },
  { id: "format", text: '{"a":"x-y@z.example"}', ours: [], theirs: [fault("/a", "oneOf")] },
  { id: "format", text: '{"a":"abc"}', ours: [fault("/a", "anyOf")], theirs: [] },
  { id: "proto-member", text: '{"a":1}', ours: [fault("/a", "type")], theirs: [] },
  {
    id: "unique-mistyped-items",
    text: '{"a":[1,1]}',
    ours: [fault("/a", "uniqueItems")],
    theirs: [],
  },
])("$id does not excuse $text with $ours against $theirs", (sample) => {
  expect(explains(sample)).toBe(false);
});
