import { expect, test } from "vitest";
import { useSmallRepository } from "../testing/use-small-repository.js";
import { fixturesShowChange } from "./fixtures-show-change.js";

const prepared = useSmallRepository(fixturesShowChange);

const text = { type: "string" };

/** Definitions with the name of a type that has fixtures in the repository, and of one that it refers to. */
const types = (record: object, part: object = text, more: object = {}) => ({
  DpoRecord: { type: "object", properties: { part: { $ref: "#/$defs/Part" }, ...record } },
  Part: part,
  ...more,
});

const SUITE = "fixtures/suites/DpoRecord.json";

/** Writes a suite with the case, and an empty record as its base. */
function add(kind: "valid" | "invalid", record: unknown): void {
  const expected = kind === "invalid" && { expect: [{ pointer: "", keyword: "type" }] };
  const added = { name: "a-case", why: "A case.", record, ...expected };
  const base = { name: "empty", why: "The base." };
  const suite = {
    valid: [base, ...(kind === "valid" ? [added] : [])],
    invalid: kind === "invalid" ? [added] : [],
  };
  prepared.repository.write(SUITE, { type: "DpoRecord", base: {}, ...suite });
}

async function find(): Promise<unknown[]> {
  return (await prepared.find()).map(({ file, pointer, detail }) => [file, pointer, detail]);
}

test("a changed definition, until a fixture distinguishes the versions", async () => {
  prepared.repository.publish("1.0.0", types({})).present("1.1.0", types({ label: text }));
  const missing = [
    [
      "schema/thing.schema.json",
      "/$defs/DpoRecord",
      expect.stringMatching(/^such as this DpoRecord, which is not valid now: \{"label":/),
    ],
  ];
  expect(await find()).toEqual(missing);
  add("valid", { label: "x" });
  expect(await find()).toEqual(missing);
  add("invalid", { label: 7 });
  expect(await find()).toEqual([]);
});

test("an invalid fixture does not count, and is reported", async () => {
  prepared.repository.publish("1.0.0", types({})).present("1.1.0", types({ label: text }));
  const invalid = [{ name: "a-case", record: { label: 7 } }];
  const valid = [{ name: "empty", why: "The base." }];
  prepared.repository.write(SUITE, { type: "DpoRecord", base: {}, valid, invalid });
  expect(await find()).toMatchObject([
    ["schema/thing.schema.json", "/$defs/DpoRecord", expect.anything()],
    [SUITE, "/invalid/0", undefined],
  ]);
});

test("a valid fixture shows a wider definition", async () => {
  const wider = { type: ["string", "null"] };
  prepared.repository.publish("1.0.0", types({})).present("1.1.0", types({}, wider));
  expect(await find()).toMatchObject([
    ["schema/thing.schema.json", "/$defs/Part", expect.any(String)],
  ]);
  add("valid", { part: null });
  expect(await find()).toEqual([]);
});

test("each definition needs its own fixture", async () => {
  const after = types({ label: text }, { ...text, minLength: 1 });
  prepared.repository.publish("1.0.0", types({})).present("2.0.0", after);
  add("invalid", { label: 7 });
  expect(await find()).toMatchObject([[expect.anything(), "/$defs/Part", expect.anything()]]);
});

test("a fixture of a new definition also counts for the one that refers to it", async () => {
  const after = types({ label: { $ref: "#/$defs/Label" } }, text, { Label: text });
  prepared.repository.publish("1.0.0", types({})).present("1.1.0", after);
  add("invalid", { label: 7 });
  expect(await find()).toEqual([]);
});

test.each<[what: string, after: object]>([
  ["words", types({}, { ...text, description: "New." })],
  ["the same meaning, written differently", types({}, { anyOf: [text] })],
])("no fixture is required: %s", async (_what, after) => {
  prepared.repository.publish("1.0.0", types({})).present("1.0.1", { ...after });
  expect(await find()).toEqual([]);
});
