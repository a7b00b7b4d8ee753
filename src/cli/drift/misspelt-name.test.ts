import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

function write(path: string, content: unknown): void {
  const file = join(folder.path, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content, null, 1));
}

const entry = (name: string, consumers: readonly string[]) => ({
  ...{ id: `urn:example:${name}`, name, version: "1.0.0", file: `schemas/${name}.schema.json` },
  ...{ released: [], owner: "event-protocol", producers: ["event-runtime"], consumers },
  stability: "stable",
});

function register(...consumers: readonly string[][]): void {
  const schemas = consumers.map((each, index) => entry(["alpha", "beta"][index] ?? "", each));
  write("owner/schemas/registry.json", { schemas });
}

function configure(name: string, rest: Record<string, unknown> = {}): void {
  const config = { config_version: "config/v1", repository: name, artefacts: [], ...rest };
  write(`${name === "event-protocol" ? "owner" : "consumer"}/rollout-wire.config.json`, config);
}

beforeEach(() => {
  for (const name of ["owner", "consumer"]) {
    rmSync(join(folder.path, name), { recursive: true, force: true });
  }
  for (const name of ["alpha", "beta"]) {
    write(`owner/schemas/${name}.schema.json`, { title: name, type: "object" });
  }
  register(["event-pipeline"], ["event-pipeline"]);
  configure("event-protocol", { registry: "schemas/registry.json" });
  configure("event-pipeline");
});

async function findNames(): Promise<string[]> {
  const argv = ["drift", "--repo", ".", "../consumer", "--format", "json"];
  const cwd = join(folder.path, "owner");
  const { exitCode, stdout } = await folder.run(argv, { cwd });
  expect(exitCode).toBe(EXIT.ok);
  const { findings }: { findings: Record<string, string>[] } = JSON.parse(stdout);
  return findings
    .filter(({ id }) => id === "unknown-name")
    .map(({ file, pointer, message }) => `${file} ${pointer} ${message}`);
}

const ASKED = "which nothing else is called: did you mean event-pipeline?";

test("names that agree, or that are no misspelling, are no finding", async () => {
  expect(await findNames()).toEqual([]);
  register(["event-pipeline"], ["somebody-else"]);
  expect(await findNames()).toEqual([]);
});

test("a misspelt consumer in the registry is named once", async () => {
  register(["event-pipeline"], ["event-pipelne"]);
  expect(await findNames()).toEqual([
    `schemas/registry.json /schemas/1/consumers/0 is event-pipelne, ${ASKED}`,
  ]);
});

test("a misspelt name in a configuration is named once", async () => {
  configure("event-pipelien");
  expect(await findNames()).toEqual([
    `../consumer/rollout-wire.config.json /repository is event-pipelien, ${ASKED}`,
  ]);
});
