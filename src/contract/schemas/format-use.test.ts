import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Config } from "#generated/index.js";
import { CONFIG_FILE, packageRoot } from "../../base/package.js";
import { commonUse, FormatUses, formatUseOf, OWN_FORMATS } from "./format-use.js";

/** Reads configurations by their paths, and remembers which. */
function usesOf(configs: Readonly<Record<string, unknown>>) {
  const read: string[] = [];
  const uses = new FormatUses((path) => {
    read.push(path);
    const config = configs[path];
    if (config === undefined || typeof config === "string") return config;
    return JSON.stringify(config);
  });
  return { uses, read };
}

const ASSERT = { schemas: { formats: "assert" } };
const ANNOTATE = { schemas: {} };

describe("the nearest configuration that has schemas says it", () => {
  test.each([
    ["none", {}, "annotate"],
    ["beside the file", { "a/b/rollout-wire.config.json": ASSERT }, "assert"],
    ["at the root", { "rollout-wire.config.json": ASSERT }, "assert"],
    ["elsewhere", { "a/c/rollout-wire.config.json": ASSERT }, "annotate"],
    [
      "a nearer one",
      { "rollout-wire.config.json": ASSERT, "a/rollout-wire.config.json": ANNOTATE },
      "annotate",
    ],
    [
      "a nearer one without schemas",
      { "rollout-wire.config.json": ASSERT, "a/rollout-wire.config.json": { artefacts: [] } },
      "assert",
    ],
    [
      "a nearer one that is no JSON",
      { "rollout-wire.config.json": ASSERT, "a/rollout-wire.config.json": "{" },
      "assert",
    ],
  ])("%s", (_, configs, expected) => {
    expect(usesOf(configs).uses.of("a/b/s.json")).toBe(expected);
  });

  test("each configuration is read once", () => {
    const { uses, read } = usesOf({ "rollout-wire.config.json": ASSERT });
    for (const file of ["a/b/s.json", "a/b/t.json", "a/s.json", "s.json"]) uses.of(file);
    expect(read).toEqual(["a/b/", "a/", ""].map((folder) => folder + CONFIG_FILE));
  });

  test("absolute paths end at the root", () => {
    const { uses, read } = usesOf({});
    expect([uses.of("/a/s.json"), read.length]).toEqual(["annotate", 2]);
  });
});

test("the schemas of this package are asserted without its configuration, as that says", () => {
  const text = readFileSync(join(packageRoot(), CONFIG_FILE), "utf8");
  expect((JSON.parse(text) as Config).schemas?.formats).toBe(OWN_FORMATS);
  expect(formatUseOf(packageRoot(), "schema/registry.schema.json")).toBe(OWN_FORMATS);
  expect(formatUseOf(packageRoot(), "../s.json")).toBe("annotate");
});

test("two versions are compared as the stricter of both", () => {
  expect(commonUse("annotate", "assert")).toBe("assert");
  expect(commonUse("annotate", undefined)).toBe("annotate");
});
