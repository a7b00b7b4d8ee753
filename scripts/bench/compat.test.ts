import { expect, test } from "vitest";
import { UserError } from "../../src/base/user-error.js";
import { judgePair, type Pair } from "../../src/contract/compat/testing/judge-pair.js";
import { askOwn, askPeer, formatColumns, isRight, readPairs } from "./compat.js";

const number: Pair = {
  id: "number",
  old: { type: "integer" },
  new: { type: "number" },
  backward: "compatible",
  forward: "breaking",
};
/** By types it breaks; as documents, both versions accept everything. */
const collection: Pair = {
  id: "collection",
  old: { $defs: { A: { type: "string" } } },
  new: { $defs: { A: { type: "null" } } },
  backward: "breaking",
  forward: "breaking",
};

const judge = (...pairs: readonly Pair[]) =>
  pairs.map((pair) => ({ pair, rulings: judgePair(pair) }));

test("a correct verdict is right, and a wrong one is named", () => {
  const right = askOwn(judge(number, collection));
  expect(isRight(right)).toBe(true);
  expect(formatColumns([right])).toMatch(/^right +4$/m);
  expect(formatColumns([right])).toMatch(/^breaks proved by a record +3$/m);
  const wrong = askOwn(judge({ ...number, forward: "compatible" }));
  expect(isRight(wrong)).toBe(false);
  expect(formatColumns([wrong])).toMatch(/^wrong: "breaking" +1$/m);
  expect(formatColumns([wrong])).toContain("number forward: breaking, expected compatible\n");
  expect(isRight(askOwn([]))).toBe(false);
});

test("a record that proves nothing is named", () => {
  const [judged] = judge(number);
  if (judged === undefined) throw new Error("there is a pair");
  const forward = { ...judged.rulings.forward, isProven: false };
  const column = askOwn([{ ...judged, rulings: { ...judged.rulings, forward } }]);
  expect(isRight(column)).toBe(false);
  expect(formatColumns([column])).toContain("number forward: the record proves nothing\n");
});

test("a peer is asked about whole documents; a peer that stops is an error", () => {
  const says = (verdict: string): readonly string[] => {
    const line = JSON.stringify({ backward: verdict, forward: verdict });
    return [process.execPath, "-e", `console.log('${line}\\n${line}')`];
  };
  const column = askPeer("peer", says("compatible"), judge(number, collection));
  expect(column.answers).toHaveLength(2);
  expect(formatColumns([column])).toMatch(/^wrong: "compatible" +1$/m);
  const silent = askPeer("peer", says("undecided"), judge(number, collection));
  expect(formatColumns([silent])).toMatch(/^undecided or no answer +2$/m);
  expect(() => askPeer("peer", says("compatible"), judge(number))).toThrow("peer stopped");
});

test("files without pairs are one-line errors", () => {
  expect(readPairs(["fixtures/compat/pairs.json", "fixtures/compat/pairs.json"])).toHaveLength(47);
  expect(() => readPairs(["package.json"])).toThrow(UserError);
  expect(() => readPairs(["no-such-file.json"])).toThrow(UserError);
  expect(() => readPairs(["README.md"])).toThrow(UserError);
});
