import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import type { ContractIndex, ContractType, TypeLink } from "../../contract/pages/contract-data.js";
import { schemaHashes } from "../../contract/schemas/hashes.js";
import { readRegistry } from "../../contract/schemas/registry.js";
import { unpackIndex } from "../../rollouts/look/report/testing/unpack-page.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

const { schemas } = readRegistry(packageRoot());
const textOf = (file: string): string => readFileSync(join(packageRoot(), file), "utf8");

let index: ContractIndex;

beforeAll(async () => {
  const argv = ["report", "contract", "--output", "contract.html"];
  expect(await folder.run(argv)).toMatchObject({ exitCode: EXIT.ok });
  index = unpackIndex(readFileSync(join(folder.path, "contract.html"), "utf8"));
});

const allTypes = (): readonly (ContractType & { readonly schema: string })[] =>
  index.schemas.flatMap(({ name: schema, types }) => types.map((type) => ({ ...type, schema })));

test("every schema and every released version, with their hashes", () => {
  expect(schemas.length).toBeGreaterThan(10);
  for (const { name, file, released } of schemas) {
    const shown = index.schemas.find((each) => each.name === name);
    expect(shown?.hashes).toEqual(schemaHashes(textOf(file)));
    expect(shown?.releases.map((each) => each.file)).toEqual(released.toReversed());
    for (const release of shown?.releases ?? []) {
      expect(release.hashes).toEqual(schemaHashes(textOf(release.file)));
      const id = `${name}/${release.version}`;
      expect(index.comparisons.map((each) => each.id)).toContain(id);
    }
  }
});

test("every definition, with every property; each field has a description and a version", () => {
  for (const { name, file } of schemas) {
    const { $defs } = JSON.parse(textOf(file));
    const shown = index.schemas.find((each) => each.name === name);
    expect(shown?.types.map((type) => type.name).toSorted()).toEqual(Object.keys($defs).toSorted());
    for (const type of shown?.types ?? []) {
      const fields = type.fields.map(({ path }) => path);
      expect(fields).toEqual(
        expect.arrayContaining(Object.keys($defs[type.name].properties ?? {})),
      );
      for (const field of type.fields) {
        expect(field.description).not.toBe("");
        expect(field.since).toMatch(/^([a-z-]+ )?\d+\.\d+\.\d+$/);
      }
    }
  }
});

test("no link leads nowhere", () => {
  const known = new Set(allTypes().map(({ schema, name }) => `${schema} ${name}`));
  const links = allTypes()
    .flatMap(({ type, usedBy, fields }) => [
      ...[...type, ...usedBy],
      ...fields.flatMap((field) => [...field.type, field.from]),
    ])
    .filter((part): part is TypeLink => typeof part === "object");
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter(({ schema, name }) => !known.has(`${schema} ${name}`))).toEqual([]);
});

test("every record type has examples where there are fixtures", () => {
  const records = allTypes().filter(({ isRecord }) => isRecord);
  expect(records.length).toBeGreaterThan(20);
  const hasSuite = ({ name }: ContractType) =>
    existsSync(join(packageRoot(), `fixtures/suites/${name}.json`));
  const without = records.filter(({ exampleCount }) => exampleCount === 0);
  expect(without.filter(hasSuite).map(({ name }) => name)).toEqual([]);
  expect(records.filter(hasSuite).length).toBeGreaterThan(20);
});

test("what breaks has a proof; what changed has an entry", () => {
  const changed = index.comparisons.filter(({ status }) => status === "changed");
  expect(changed.length).toBeGreaterThan(4);
  for (const { entry, changes } of changed) {
    expect(entry).not.toBe("");
    for (const { verdicts, proofs } of changes) {
      const broken = verdicts.filter(({ backward, forward }) =>
        [backward, forward].includes("breaking"),
      );
      expect(broken.length === 0 || proofs.length > 0).toBe(true);
    }
  }
  const witnesses = changed.flatMap(({ changes }) =>
    changes.flatMap(({ proofs }) => proofs.flatMap(({ witness }) => witness ?? [])),
  );
  expect(witnesses.length).toBeGreaterThan(10);
  for (const witness of witnesses) expect(() => JSON.parse(witness)).not.toThrow();
});
