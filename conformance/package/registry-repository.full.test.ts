import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { userPath } from "./testing/follow-page.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";
import { runTool } from "./testing/run-tool.js";

/** A repository in two languages whose registry lists schemas of two drafts, which refer to each other. */
const HOST = "https://fleet.example/schemas";
const SCHEMAS = {
  "common/ids.schema.json": {
    $schema: "http://json-schema.org/draft-07/schema#",
    definitions: {
      runId: { type: "string", pattern: "^run-[0-9]{1,6}$" },
      stamp: { type: "string", format: "date-time" },
    },
  },
  "run.schema.json": {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "FleetRun",
    type: "object",
    required: ["run_id", "steps"],
    properties: {
      $schema: { type: "string" },
      run_id: { $ref: "common/ids.schema.json#/definitions/runId" },
      started: { $ref: "common/ids.schema.json#/definitions/stamp" },
      class: { anyOf: [{ enum: ["small", "large"] }, { type: "null" }] },
      steps: { type: "array", minItems: 1, items: { $ref: "step.schema.json" } },
      limits: { type: "object", additionalProperties: { type: "number", exclusiveMinimum: 0 } },
    },
    patternProperties: { "^x-": { type: "string", maxLength: 20 } },
    additionalProperties: false,
  },
  "step.schema.json": {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    title: "Step",
    type: "object",
    required: ["kind"],
    oneOf: [
      {
        properties: { kind: { const: "tool" }, name: { type: "string", minLength: 1 } },
        required: ["name"],
      },
      { properties: { kind: { const: "wait" }, seconds: { type: "integer", multipleOf: 5 } } },
    ],
    properties: { substeps: { type: "array", uniqueItems: true, items: { $ref: "#" } } },
    dependentRequired: { substeps: ["name"] },
  },
};

const FILES = {
  ...Object.fromEntries(
    Object.entries(SCHEMAS).map(([path, schema]) => [
      `schemas/${path}`,
      JSON.stringify({ $id: `${HOST}/${path}`, ...schema }, undefined, 2),
    ]),
  ),
  "schemas/index.json": JSON.stringify({
    protocol: "fleet",
    schemas: Object.keys(SCHEMAS).map((path) => {
      const id = path.replace(/^.*\/|\.schema\.json$/g, "");
      const canonical_id = `${HOST}/${path}`;
      return { id, title: id, path: `schemas/${path}`, canonical_id, version: `${id}/v0.1` };
    }),
  }),
  "package.json": '{ "name": "fleet-protocol", "private": true, "type": "module" }',
  "pyproject.toml":
    '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n\n[project]\nname = "fleet-protocol"\nversion = "0.1.0"\n\n[tool.setuptools.packages.find]\nwhere = ["generated/python"]\n',
  ".gitignore": "node_modules\n*.egg-info\nbuild\n",
  "use.ts": `import { type FleetRun, findErrors, isFleetRun } from "./generated/typescript/index.js";
const value: unknown = JSON.parse(process.argv[2] ?? "");
if (isFleetRun(value)) {
  const run: FleetRun = value;
  console.log(run.run_id, run.class, run.steps[0]?.kind);
} else {
  console.log(findErrors("FleetRun", value).map(({ keyword, pointer }) => \`\${pointer} \${keyword}\`).join(", "));
}
`,
  "use.py": `import sys
from fleet_protocol_schemas import FleetRun, WireError
try:
    run = FleetRun.from_json(sys.argv[1])
    assert FleetRun.from_json(run.to_json()) == run
    print(run.run_id, run.class_, run.steps[0])
except WireError as error:
    print(", ".join(f"{fault.pointer} {fault.keyword}" for fault in error.faults))
`,
};

const VALID = {
  ...{ run_id: "run-7", class: "large", "x-team": "blue" },
  steps: [{ kind: "tool", name: "ls", substeps: [{ kind: "wait", seconds: 10 }] }],
};
const INVALID = { run_id: "run-x", steps: [], limits: { memory: 0 }, "x-team": 1 };

const root = mkdtempSync(join(tmpdir(), "rollout-wire-registry-"));
const repository = join(root, "fleet-protocol");
let installed: InstalledPackage | undefined;
afterAll(() => {
  installed?.remove();
  rmSync(root, { recursive: true, force: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(repository, path)), { recursive: true });
  writeFileSync(join(repository, path), text);
}

/** What `npx rollout-wire` prints; the exit code must be `status`. */
function rolloutWire(args: string, status = 0): string {
  const run = spawnSync("bash", ["-c", `npx --no-install rollout-wire ${args} 2>&1`], {
    ...{ cwd: repository, encoding: "utf8" },
    env: { ...process.env, PATH: userPath() },
  });
  expect([args, run.status, run.status === status ? "" : run.stdout]).toEqual([args, status, ""]);
  return run.stdout;
}

beforeAll(() => {
  installed = installPackage();
  for (const [path, text] of Object.entries(FILES)) write(path, text);
  const git = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  runTool("git", ["init", "--quiet"], repository);
  runTool("git", ["add", "."], repository);
  runTool("git", [...git, "commit", "--quiet", "-m", "schemas"], repository);
  runTool("npm", ["install", "--prefer-offline", "-D", installed.tarball], repository);
  rolloutWire("init --write");
  rolloutWire("generate");
});

test("init proposes the registry, both languages, and a package named like that of Python", () => {
  const path = join(repository, "rollout-wire.config.json");
  const config = JSON.parse(readFileSync(path, "utf8"));
  expect(config.schemas).toEqual({
    sources: ["schemas/index.json"],
    outputs: [
      { target: "typescript", folder: "generated/typescript" },
      { target: "validators", folder: "generated/typescript" },
      { target: "python", folder: "generated/python/fleet_protocol_schemas" },
    ],
  });
});

test("check is green, with fixtures that it has written, and agreement red for a fault in Python", () => {
  const path = join(repository, "rollout-wire.config.json");
  const config = JSON.parse(readFileSync(path, "utf8"));
  config.schemas.fixtures = "tests/fixtures";
  writeFileSync(path, JSON.stringify(config));
  rolloutWire("check --write-fixtures");
  const printed = rolloutWire("check");
  expect(printed).toMatch(
    /^ {2}agreement +[\d,]+ records, 3 implementations \(typescript, python, ajv\).* ok$/m,
  );
  expect(printed).toMatch(/^ {2}constraint-coverage .* ok$/m);
  expect(printed).toMatch(/^0 findings in 5 checks /m);
  const edited = join(repository, "generated/python/fleet_protocol_schemas/step.py");
  const before = readFileSync(edited, "utf8");
  expect(before).toContain('"seconds"');
  writeFileSync(edited, before.replaceAll('"multipleOf": 5', '"multipleOf": 1'));
  const found = rolloutWire("check --only agreement", 1);
  writeFileSync(edited, before);
  expect(found).toMatch(/multipleOf/);
});

test.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])(
  "TypeScript compiles with module %s, resolved by %s, and judges records",
  (module, resolution) => {
    const tsc = join(packageRoot(), "node_modules/.bin/tsc");
    const options = `--ignoreConfig --strict --target es2022 --types node --typeRoots ${join(packageRoot(), "node_modules/@types")}`;
    const modules = ["--module", module, "--moduleResolution", resolution];
    runTool(tsc, [...options.split(" "), ...modules, "use.ts"], repository);
    const run = (value: unknown): string =>
      runTool(process.execPath, ["use.js", JSON.stringify(value)], repository).trim();
    expect(run(VALID)).toBe("run-7 large tool");
    expect(run(INVALID).split(", ").sort()).toEqual([
      "/limits/memory exclusiveMinimum",
      "/run_id pattern",
      "/steps minItems",
      "/x-team type",
    ]);
  },
);

test("the Python package, installed by pip, judges records alike", () => {
  const python = join(root, "venv/bin/python");
  runTool("python3", ["-m", "venv", join(root, "venv")], root);
  runTool(python, ["-m", "pip", "install", "--quiet", "--no-deps", repository], root);
  const run = (value: unknown): string =>
    runTool(python, ["-I", join(repository, "use.py"), JSON.stringify(value)], root).trim();
  expect(run(VALID)).toMatch(/^run-7 large Step\(substeps=\[1 x Step\]/);
  expect(run(INVALID).split(", ").sort()).toEqual([
    "/limits/memory exclusiveMinimum",
    "/run_id pattern",
    "/steps minItems",
    "/x-team type",
  ]);
});
