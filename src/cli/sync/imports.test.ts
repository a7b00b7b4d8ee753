import { afterEach, beforeEach, expect, test } from "vitest";
import type { Artefact } from "#generated/index.js";
import { packageRoot } from "../../base/package.js";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { Canonical } from "../../contract/drift/canonical.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const canonical = new Canonical(packageRoot());

function toArtefact(schema: string): Artefact {
  const name = `${schema}.d.ts`;
  const version = canonical.presentVersion(schema) ?? "";
  return {
    ...({ kind: "generated", schema, version } as const),
    ...{ source: `generated/typescript/${name}`, path: `src/types/${name}` },
  };
}

function configure(artefacts: readonly Artefact[]): void {
  const config = { config_version: "config/v1", repository: "mine", artefacts };
  folder.write("rollout-wire.config.json", JSON.stringify(config));
}

test("generated types that import a file which is not listed name the artefact to list", async () => {
  configure([toArtefact("rollout-wire")]);
  const synced = await folder.run(["sync"]);
  const checked = await folder.run(["drift"]);
  expect([synced.exitCode, checked.exitCode]).toEqual([EXIT.ok, EXIT.findings]);
  for (const { stdout } of [synced, checked]) {
    expect(stdout).toMatch(
      /^src\/types\/rollout-wire\.d\.ts:1:1 .*imports \.\/rollout-trace\.js, which is neither listed nor there: add /m,
    );
  }
  // What it says to list is what it takes.
  const [, entry = ""] = /add (\{.*\}) to "artefacts"/.exec(checked.stdout) ?? [];
  expect(JSON.parse(entry)).toEqual(toArtefact("rollout-trace"));
  configure([toArtefact("rollout-wire"), JSON.parse(entry)]);
  expect(await folder.run(["sync"])).toMatchObject({
    exitCode: EXIT.ok,
    stdout: expect.not.stringContaining("imports"),
  });
  expect((await folder.run(["drift"])).exitCode).toBe(EXIT.ok);
});
