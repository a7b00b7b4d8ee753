import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { describeExamples, readSuites } from "./examples.js";

const root = mkdtempSync(join(tmpdir(), "rollout-wire-examples-"));
afterAll(() => rmSync(root, { recursive: true }));

function writeSuite(name: string, content: object): void {
  mkdirSync(join(root, "fixtures/suites"), { recursive: true });
  writeFileSync(join(root, "fixtures/suites", name), JSON.stringify(content));
}

test("without fixtures, as in the npm package, there are no examples", () => {
  expect(readSuites(join(root, "nowhere"))).toEqual(new Map());
  expect(describeExamples({})).toEqual({ examples: [], exampleCount: 0 });
});

test("valid records with their edits; no rollouts, texts, and nothing that is invalid", () => {
  const why = "It is so.";
  writeSuite("Config.json", {
    type: "Config",
    base: { a: 1 },
    valid: [
      { name: "base", why },
      { name: "edited", why, set: { "/b": 2 }, remove: ["/a"] },
      { name: "edited-again", why, from: "edited", set: { "/c": 3 } },
      { name: "whole", why, record: { d: 4 } },
      { name: "text", why, text: "{}" },
      { name: "of-text", why, from: "text", set: { "/a": 2 } },
      { name: "rollout", why, rollout: [{}] },
    ],
    invalid: [{ name: "bad", why, record: {}, expect: [{ pointer: "", keyword: "required" }] }],
  });
  writeSuite("Other.json", { no: "suite" });
  const suites = readSuites(root);
  expect([...suites.keys()]).toEqual(["Config"]);
  expect(suites.get("Config")?.map(({ name, json }) => [name, JSON.parse(json)])).toEqual([
    ["base", { a: 1 }],
    ["edited", { b: 2 }],
    ["edited-again", { b: 2, c: 3 }],
    ["whole", { d: 4 }],
  ]);
});

test("the examples in the schema come first, and of many the first are shown", () => {
  const fixtures = Array.from({ length: 12 }, (_, index) => ({
    ...{ name: `f${index}`, why: "", json: "{}" },
  }));
  const { examples, exampleCount } = describeExamples({ examples: [{ a: 1 }] }, fixtures);
  expect(exampleCount).toBe(13);
  expect(examples).toHaveLength(10);
  expect(examples[0]).toEqual({ name: "example 1", why: "", json: '{\n  "a": 1\n}' });
});
