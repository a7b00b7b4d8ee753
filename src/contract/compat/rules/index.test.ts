import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareVersions } from "../compare-versions.js";
import { toPointer } from "../places/place.js";
import { DIRECTIONS, type SchemaLocation, SchemaSet } from "../schema/schema-set.js";
import type { Schema } from "../schema/subschemas.js";
import { wholeRules } from "../unmatched.js";
import { rules } from "./index.js";
import type { Rule } from "./rule.js";

interface ChangeFixture {
  readonly rule: string;
  readonly old: Schema;
  readonly new: Schema;
  /** Directions in which the change alone breaks readers. */
  readonly breaks: readonly string[];
  /** The same for writers of declared properties only, if different. */
  readonly declaredWriter?: readonly string[];
  readonly path?: string;
  /** Other rules that find something too. */
  readonly beside?: readonly string[];
}

const fixtures: ChangeFixture[] = JSON.parse(
  readFileSync(new URL("../../../../fixtures/compat/changes.json", import.meta.url), "utf8"),
);

function rootOf(schema: Schema): SchemaLocation {
  return new SchemaSet().add(schema, "test:/schema");
}

/** M2 before M10. */
const byId = new Intl.Collator("en", { numeric: true });

test("ids and names are unique, and the rules are in the order of their ids", () => {
  const all = [...rules, ...wholeRules];
  for (const key of ["id", "name"] as const) {
    expect(new Set(all.map((rule) => rule[key])).size).toBe(all.length);
  }
  const ids = rules.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted(byId.compare));
});

test("every rule has a pair in fixtures/compat/changes.json, and every pair has a rule", () => {
  const shown = new Set(fixtures.map(({ rule }) => rule));
  expect([...shown].toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
});

test("the table of docs/compatibility.md has exactly these rules, in the order of their ids", () => {
  const docs = readFileSync(new URL("../../../../docs/compatibility.md", import.meta.url), "utf8");
  const rows = docs.split("\n").filter((line) => /^\| .+ \| [A-Z]\d+ [a-z]/.test(line));
  const named = rows.flatMap((row) => [...row.matchAll(/[A-Z]\d+ [a-z-]+/g)].map(([name]) => name));
  const expected = [...rules, ...wholeRules]
    .toSorted((one, other) => byId.compare(one.id, other.id))
    .map(({ id, name }) => `${id} ${name}`);
  expect(named).toEqual(expected);
});

test("every rule that a file of this folder exports is in the list", async () => {
  const folder = new URL(".", import.meta.url);
  const files = readdirSync(folder).filter((file) => /^(?!index)[\w-]+\.ts$/.test(file));
  const modules: object[] = await Promise.all(
    files.map((file) => import(new URL(file, folder).href)),
  );
  const exported = modules.flatMap((module) => Object.values(module).flat().filter(isRule));
  expect(exported.length).toBeGreaterThan(60);
  expect(new Set(exported)).toEqual(new Set(rules));
  expect(exported.length).toBe(rules.length);
});

function isRule(value: unknown): value is Rule {
  return ["id", "name", "summary", "fix", "find"].every((key) => Object.hasOwn(Object(value), key));
}

describe.each(fixtures)("$rule: $old to $new", (fixture) => {
  const { changes, ...versions } = compareVersions(rootOf(fixture.old), rootOf(fixture.new));
  const found = changes.filter(({ rule }) => rule.id === fixture.rule);

  test("is found once, at the right place", () => {
    const ids = changes.map(({ rule }) => rule.id);
    expect(ids.toSorted()).toEqual([fixture.rule, ...(fixture.beside ?? [])].toSorted());
    const [change] = found;
    const property = change?.property === undefined ? [] : [change.property];
    expect(toPointer(...(change?.path ?? []), ...property)).toBe(fixture.path ?? "");
  });

  test("breaks exactly what the fixture says", () => {
    const broken = (lens: "validate" | "declared-writer"): string[] =>
      DIRECTIONS.filter((direction) => found[0]?.effects[lens][direction].verdict === "breaking");
    expect(broken("validate")).toEqual(fixture.breaks);
    expect(broken("declared-writer")).toEqual(fixture.declaredWriter ?? fixture.breaks);
    // No other change breaks anything, so the verdict on the whole schema is the same.
    expect(DIRECTIONS.filter((direction) => versions[direction] === "breaking")).toEqual(
      fixture.breaks,
    );
  });
});
