import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFiles } from "../src/base/files/staging.js";
import { EXIT } from "../src/base/user-error.js";
import {
  compareVersions,
  type VersionComparison,
} from "../src/contract/compat/compare-versions.js";
import {
  hasUpcaster,
  printMajor,
  toUpcasterFile,
  type UpcasterStep,
} from "../src/contract/migrate/step.js";
import { SchemaVersions } from "../src/contract/migrate/versions.js";
import { readRegistry } from "../src/contract/schemas/registry.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "upcaster:new",
    summary:
      "Writes a skeleton for every missing upcaster between two major versions, with the records that diff proves the break by as its first tests.",
    operands: "[schema...]",
    options: [],
  },
  async (_options, { root, stdout }, operands) => {
    const names = operands.length > 0 ? operands : readRegistry(root).schemas.map((s) => s.name);
    const files = names.flatMap((name) => writeSkeletons(SchemaVersions.open(root, name)));
    if (files.length === 0) {
      stdout.write("nothing to write: every step has its upcaster\n");
      return EXIT.ok;
    }
    const written = files.filter(({ path }) => !existsSync(join(root, path)));
    for (const { path } of written) mkdirSync(dirname(join(root, path)), { recursive: true });
    await writeFiles(written.map(({ path, text }) => ({ path: join(root, path), chunks: [text] })));
    stdout.write(`written\n${written.map(({ path }) => `  ${path}\n`).join("")}`);
    stdout.write("next: npm run format, then make the tests of each pass\n");
    return EXIT.ok;
  },
);

interface Skeleton {
  readonly path: string;
  readonly text: string;
}

/** The upcasters that a schema lacks, each with its test. */
function writeSkeletons(versions: SchemaVersions): Skeleton[] {
  const { majors, name, root } = versions;
  const missing = majors
    .filter((from) => versions.has(from + 1))
    .map((from): UpcasterStep => ({ schema: name, from }))
    .filter((step) => !hasUpcaster(root, step));
  return missing.flatMap((step) => {
    const [older, newer] = [versions.load(step.from), versions.load(step.from + 1)];
    const witnesses = listWitnesses(compareVersions(older.root, newer.root));
    const path = toUpcasterFile(step);
    return [
      { path, text: printUpcaster(step, versions.findVersionFields()) },
      { path: path.replace(/\.ts$/, ".test.ts"), text: printTest(step, witnesses) },
    ];
  });
}

/** The records of the older version that prove a break, by each declared writer first. */
function listWitnesses({ changes }: VersionComparison): unknown[] {
  const effects = ["declared-writer", "validate"] as const;
  const proofs = effects.flatMap((lens) => changes.map((each) => each.effects[lens].backward));
  const found = proofs.flatMap((proof) => (proof.verdict === "breaking" ? [proof.witness] : []));
  return [...new Map(found.map((witness) => [JSON.stringify(witness), witness])).values()];
}

/** What the files import. */
const VALUE = "../../src/base/json/value.js";
const HELPER = "../../src/contract/migrate/testing/upgrade-record.js";

function printUpcaster({ schema, from }: UpcasterStep, fields: ReadonlySet<string>): string {
  const [older, newer] = [from, from + 1].map((major) => printMajor({ name: schema, major }));
  const changed = [...fields].map((field) => `, ${JSON.stringify(field)}: "${newer}"`).join("");
  return `import type { JsonObject } from "${VALUE}";

/** Upgrades a record of ${older} to ${newer}. Throws Error, with the reason, if it cannot. */
export function upcast(record: JsonObject): JsonObject {
  return { ...record${changed} };
}
`;
}

function printTest({ schema, from }: UpcasterStep, witnesses: readonly unknown[]): string {
  const [older, newer] = [from, from + 1].map((major) => printMajor({ name: schema, major }));
  if (witnesses.length === 0) {
    return `import { test } from "vitest";

test.todo("records of ${older} are valid under ${newer}");
`;
  }
  const cases = witnesses.map((witness) => `  ${JSON.stringify(witness)},\n`).join("");
  return `import { expect, test } from "vitest";
import { upgradeRecord } from "${HELPER}";

/** Records of ${older} that ${newer} rejects, each the proof of a break. */
test.each([
${cases}])("valid under ${newer} after the upgrade: %j", async (record) => {
  await expect(upgradeRecord("${older}", "${newer}", record)).resolves.toBeDefined();
});
`;
}

await runAsProgram(import.meta.url, run);
