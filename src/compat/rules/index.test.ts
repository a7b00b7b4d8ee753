import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareVersions } from "../compare-versions.js";
import { unmatched } from "../entry-comparison.js";
import { toPointer } from "../places/place.js";
import type { Schema } from "../schema-set.js";
import { DIRECTIONS, type SchemaLocation, SchemaSet } from "../schema-set.js";
import { rules } from "./index.js";

interface ChangeFixture {
  readonly rule: string;
  readonly old: Schema;
  readonly new: Schema;
  /** Directions in which this change alone breaks readers. */
  readonly breaks: readonly string[];
  /** The same for writers that emit declared properties only, where that is something else. */
  readonly declaredWriter?: readonly string[];
  readonly path?: string;
  /** Rules that find something besides. */
  readonly beside?: readonly string[];
}

const fixtures: ChangeFixture[] = JSON.parse(
  readFileSync(new URL("../../../fixtures/compat/changes.json", import.meta.url), "utf8"),
);

function rootOf(schema: Schema): SchemaLocation {
  return new SchemaSet().add(schema, "test:/schema");
}

test("every rule has an id and a name of its own, a fixture, and a row in the documentation", () => {
  const all = [...rules, unmatched];
  for (const key of ["id", "name"] as const) {
    expect(new Set(all.map((rule) => rule[key])).size).toBe(all.length);
  }
  const shown = new Set(fixtures.map(({ rule }) => rule));
  expect(rules.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  const docs = readFileSync(new URL("../../../docs/compatibility.md", import.meta.url), "utf8");
  const missing = all.filter(
    ({ id, name, summary, mend }) => !docs.includes(`\n| ${id} | ${name} | ${summary} | ${mend} |`),
  );
  expect(missing.map(({ id }) => id)).toEqual([]);
});

test("every rule of the folder is one of them, in the order of their ids", () => {
  const idOf = (file: string): string => (file.split("-")[0] ?? "").toUpperCase();
  const files = readdirSync(new URL(".", import.meta.url)).filter((file) =>
    /^[a-z]\d+-.*\.ts$/.test(file),
  );
  const order = new Intl.Collator("en", { numeric: true });
  expect(files.length).toBeGreaterThan(60);
  expect(rules.map(({ id }) => id)).toEqual(files.map(idOf).sort(order.compare));
  expect(rules.map(({ id, name }) => `${id.toLowerCase()}-${name}.ts`).sort()).toEqual(
    files.sort(),
  );
});

describe.each(fixtures)("$rule: $old to $new", (fixture) => {
  const { changes, ...versions } = compareVersions(rootOf(fixture.old), rootOf(fixture.new));
  const found = changes.filter(({ rule }) => rule.id === fixture.rule);

  test("is found once, where it is", () => {
    const ids = changes.map(({ rule }) => rule.id);
    expect(ids.toSorted()).toEqual([fixture.rule, ...(fixture.beside ?? [])].toSorted());
    const [change] = found;
    const property = change?.property === undefined ? [] : [change.property];
    expect(toPointer(...(change?.path ?? []), ...property)).toBe(fixture.path ?? "");
  });

  test("breaks what it is said to break, and nothing else", () => {
    const broken = (lens: "validate" | "declared-writer"): string[] =>
      DIRECTIONS.filter((direction) => found[0]?.effects[lens][direction].verdict === "breaking");
    expect(broken("validate")).toEqual(fixture.breaks);
    expect(broken("declared-writer")).toEqual(fixture.declaredWriter ?? fixture.breaks);
    // No other change breaks anything, so that the whole breaks where this one does.
    expect(DIRECTIONS.filter((direction) => versions[direction] === "breaking")).toEqual(
      fixture.breaks,
    );
  });
});
