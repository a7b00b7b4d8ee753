import { describe, expect, test } from "vitest";
import { applyEdit, type Edit } from "./edit.js";

describe("applyEdit", () => {
  const record = { a: 1, b: { "c/d": [1, 2, { e: "x" }] }, n: null };

  test.each<[what: string, edit: Edit, result: unknown]>([
    ["nothing", {}, record],
    ["a member", { set: { "/a": 2 } }, { ...record, a: 2 }],
    ["a new member", { set: { "/f": 0 } }, { ...record, f: 0 }],
    ["an escaped key", { set: { "/b/c~1d": [] } }, { ...record, b: { "c/d": [] } }],
    ["an element", { set: { "/b/c~1d/1": 3 } }, { ...record, b: { "c/d": [1, 3, { e: "x" }] } }],
    [
      "below an element",
      { set: { "/b/c~1d/2/e": 0 } },
      { ...record, b: { "c/d": [1, 2, { e: 0 }] } },
    ],
    [
      "an element after the last one",
      { set: { "/b/c~1d/3": 4 } },
      { ...record, b: { "c/d": [1, 2, { e: "x" }, 4] } },
    ],
    ["the whole", { set: { "": 5 } }, 5],
    ["a removed member", { remove: ["/a"] }, { b: record.b, n: null }],
    [
      "removed elements",
      { remove: ["/b/c~1d/0", "/b/c~1d/0"] },
      { ...record, b: { "c/d": [{ e: "x" }] } },
    ],
    ["removals happen before settings", { set: { "/a": 1 }, remove: ["/a"] }, record],
    ["a setting below another one", { set: { "/f": {}, "/f/g": 1 } }, { ...record, f: { g: 1 } }],
    ["a null", { remove: ["/n"], set: { "/a": null } }, { a: null, b: record.b }],
  ])("%s", (_what, edit, result) => {
    const before = structuredClone(record);
    expect(applyEdit(record, edit)).toEqual({ value: result, faults: [] });
    expect(record).toEqual(before);
  });

  test.each<[what: string, edit: Edit, pointer: string, message: string]>([
    ["removing a missing value", { remove: ["/x"] }, "/remove/0", "names a missing value"],
    ["removing the whole value", { remove: [""] }, "/remove/0", "names a missing value"],
    ["removing a value twice", { remove: ["/a", "/a"] }, "/remove/1", "names a missing value"],
    ["an invalid pointer", { remove: ["a"] }, "/remove/0", "is not a JSON Pointer: write /a"],
    ["setting an invalid pointer", { set: { a: 1 } }, "/set/a", "is not a JSON Pointer: write /a"],
    [
      "a place below a missing value",
      { set: { "/x/y": 1 } },
      "/set/~1x~1y",
      "names a missing value",
    ],
    ["a place in a number", { set: { "/a/y": 1 } }, "/set/~1a~1y", "names a missing value"],
    [
      "an element beyond the end",
      { set: { "/b/c~1d/4": 1 } },
      "/set/~1b~1c~01d~14",
      "names a missing value",
    ],
    [
      "an invalid index",
      { set: { "/b/c~1d/01": 1 } },
      "/set/~1b~1c~01d~101",
      "names a missing value",
    ],
    ["an inherited property", { remove: ["/toString"] }, "/remove/0", "names a missing value"],
    ["the same value", { set: { "/a": 1 } }, "/set/~1a", "changes nothing"],
    [
      "the same value, with other keys first",
      { set: { "": { n: null, b: record.b, a: 1 } } },
      "/set/",
      "changes nothing",
    ],
  ])("a fault: %s", (_what, edit, pointer, message) => {
    expect(applyEdit(record, edit)).toEqual({
      value: expect.anything(),
      faults: [{ pointer, message: expect.stringContaining(message) }],
    });
  });
});
