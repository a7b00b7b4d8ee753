import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  copySchemas,
  duplicateCopy,
  type RepositoryCopy,
} from "../src/base/testing/copy-repository.js";
import { FINGERPRINT_FILE } from "../src/contract/codegen/files.js";
import { findFresh } from "./fingerprint.js";
import { run as generate } from "./generate.js";
import { runInProcess } from "./testing/run-in-process.js";

const SCHEMA = "schema/adapter-protocol.schema.json";
const CODE = "generated/typescript/index.js";

let fresh: RepositoryCopy;
let copy: RepositoryCopy;

beforeAll(async () => {
  fresh = copySchemas(["adapter-protocol"], ["package.json"]);
  expect((await runInProcess(generate, [], { root: fresh.root })).status).toBe(0);
});

afterAll(() => fresh.remove());

beforeEach(() => {
  copy = duplicateCopy(fresh);
});

afterEach(() => copy.remove());

test("generated code is fresh by its recorded hashes, and counted", async () => {
  const found = await findFresh(copy.root);
  expect(found?.schemaCount).toBe(3);
  expect(found?.fileCount).toBeGreaterThan(20);
});

test.each<[name: string, change: () => void]>([
  ["a schema is edited", () => copy.edit(SCHEMA, (text) => text.replace("adapter", "adaptor"))],
  ["a schema is added", () => writeFileSync(join(copy.root, "schema/new.schema.json"), "{}")],
  ["the registry is edited", () => copy.edit("schema/registry.json", (text) => `${text}\n`)],
  ["a generated file is edited", () => copy.edit(CODE, (text) => `${text}\n`)],
  ["a generated file is missing", () => rmSync(join(copy.root, CODE))],
  ["there is a stray file", () => writeFileSync(join(copy.root, "generated/stray.txt"), "")],
  [
    "a generated file is a link to itself elsewhere",
    () => {
      rmSync(join(copy.root, CODE));
      symlinkSync(join(fresh.root, CODE), join(copy.root, CODE));
    },
  ],
  ["nothing is recorded", () => rmSync(join(copy.root, FINGERPRINT_FILE))],
  ["the record is torn", () => copy.edit(FINGERPRINT_FILE, (text) => text.slice(0, -9))],
  ["the record is no record", () => writeFileSync(join(copy.root, FINGERPRINT_FILE), "{}")],
])("hashes do not tell when %s", async (_name, change) => {
  change();
  expect(await findFresh(copy.root)).toBeUndefined();
});
