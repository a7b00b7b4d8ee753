import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyRepository } from "../../scripts/testing/copy-repository.js";
import { readOriginals } from "./read-originals.js";

test("texts go as they are spelled, and those that are not JSON are counted", () => {
  const { root, remove } = copyRepository();
  try {
    const before = readOriginals(root).leftOut;
    const write = (path: string, fixture: object): void =>
      writeFileSync(join(root, "fixtures", path), JSON.stringify(fixture));
    const spelled = '{"summary":{"count":1.0}}';
    write("valid/AdapterSummary/spelled.json", { why: "1.0 is an integer.", text: spelled });
    const expected = [{ pointer: "", keyword: "json" }];
    const cutOff = { why: "It ends early.", text: '{"summary":', expect: expected };
    write("invalid/AdapterSummary/cut-off.json", cutOff);
    const { originals, leftOut } = readOriginals(root);
    expect(leftOut).toBe(before + 1);
    const texts = originals.map(({ text }) => text);
    expect(texts).toContain(spelled);
    expect(texts).not.toContain(cutOff.text);
  } finally {
    remove();
  }
});
