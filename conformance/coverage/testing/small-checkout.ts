import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type FixtureSuite, isFixtureSuite, type SchemaTier } from "#generated/index.js";
import { packageRoot } from "../../../src/base/package.js";
import { suiteFileOf } from "../../fixtures/fixture.js";
import { readFixtures } from "../../fixtures/load.js";
import { addCases, printSuite } from "../../fixtures/suite.js";
import { measureOwnCoverage } from "../coverage.js";
import { createMissingFixtures } from "../missing.js";

/** The only schema of the checkout, and its entry types. */
export const SCHEMA = "schema/adapter-protocol.schema.json";
const TYPES = ["AdapterRequest", "AdapterVerdict", "AdapterSummary"] as const;

/**
 * A checkout of one schema and suites that pin all of its constraints. It has no registry, so its schema is of tier "wire".
 * Tests may modify it.
 */
export class SmallCheckout {
  readonly root = mkdtempSync(join(tmpdir(), "rollout-wire-coverage-"));

  constructor() {
    for (const file of [SCHEMA, ...TYPES.map((type) => suiteFileOf(type))]) {
      mkdirSync(dirname(join(this.root, file)), { recursive: true });
      cpSync(join(packageRoot(), file), join(this.root, file));
    }
    // Those of the repository have one valid case each.
    addCases(this.root, createMissingFixtures(this.measure()).created);
  }

  measure(): ReturnType<typeof measureOwnCoverage> {
    return measureOwnCoverage(this.root, readFixtures(this.root));
  }

  /** Gives the checkout a registry that says the tier of its schema. */
  register(tier: SchemaTier): void {
    this.write("schema/registry.json", JSON.stringify({ schemas: [{ file: SCHEMA, tier }] }));
  }

  readSuite(type: (typeof TYPES)[number]): FixtureSuite {
    const suite: unknown = JSON.parse(this.read(suiteFileOf(type)));
    if (!isFixtureSuite(suite)) throw new Error(`the suite of ${type} is none`);
    return suite;
  }

  changeSuite(type: (typeof TYPES)[number], change: (suite: FixtureSuite) => FixtureSuite): void {
    this.write(suiteFileOf(type), printSuite(change(this.readSuite(type))));
  }

  /** Removes a case from its suite. */
  removeCase(type: (typeof TYPES)[number], name: string): void {
    this.changeSuite(type, ({ valid, invalid, ...suite }) => {
      const [keptValid, keptInvalid] = [valid, invalid].map((cases) =>
        cases.filter((each) => each.name !== name),
      );
      const kept = { ...suite, valid: keptValid ?? [], invalid: keptInvalid ?? [] };
      const removed = valid.length + invalid.length - kept.valid.length - kept.invalid.length;
      if (removed !== 1) throw new Error(`${type} has no case ${name}`);
      return kept;
    });
  }

  /** Replaces a text in the schema; throws if it is not there. */
  edit(from: string, to: string): void {
    const text = this.read(SCHEMA);
    if (!text.includes(from)) throw new Error(`the schema does not hold ${from}`);
    this.write(SCHEMA, text.replace(from, to));
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.root, file), text);
  }

  remove(): void {
    rmSync(this.root, { recursive: true });
  }
}
