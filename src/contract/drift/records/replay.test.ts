import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  createFrozenRepository,
  type FrozenRepository,
} from "../../../../conformance/registry/testing/frozen-repository.js";
import { Canonical } from "../canonical.js";
import { type Holder, openHolder } from "../holder.js";
import { createConfig, listLayout, writeConfiguration } from "../testing/layouts.js";
import { listCopies } from "../testing/list-copies.js";
import { WorkingTree } from "../trees/tree.js";
import { RecordTypes } from "./record-types.js";
import { replayFixtures } from "./replay.js";

const SCHEMA = "src/datafactory/rollout-wire.schema.json";
const FIXTURE = "fixtures/data-loop/rollout-branches.v1.jsonl";
const NAMES = ["trace-pipeline", "bscode"] as const;

let owner: FrozenRepository;
let folder: string;
let opened: Record<(typeof NAMES)[number], Holder>;
beforeEach(() => {
  owner = createFrozenRepository();
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-replay-"));
  opened = { "trace-pipeline": open("trace-pipeline"), bscode: open("bscode") };
});
afterEach(() => {
  owner.remove();
  rmSync(folder, { recursive: true });
});

/** A repository whose copies are all up to date. */
function open(name: string): Holder {
  const place = join(folder, name);
  const canonical = new Canonical(owner.root);
  for (const { source, path } of listCopies(canonical, name)) {
    mkdirSync(dirname(join(place, path)), { recursive: true });
    cpSync(join(owner.root, source), join(place, path));
  }
  writeConfiguration(place, createConfig(name, listLayout(name, "1.0.0")));
  return openHolder(new WorkingTree(place, place), { canonical, ruleIds: [] }, name);
}

function replay(...names: (typeof NAMES)[number][]) {
  const canonical = new Canonical(owner.root);
  const repositories = names.map((name) => {
    const holder = opened[name];
    return {
      holder,
      forks: [],
      fixtures: holder.artefacts.filter(({ kind }) => kind === "fixture"),
    };
  });
  const context = { canonical, types: new RecordTypes(canonical) };
  const { records, findings } = replayFixtures(repositories, context);
  return { records, findings: findings.flat() };
}

function edit(path: string, change: (text: string) => string): void {
  const text = readFileSync(join(folder, path), "utf8");
  expect(change(text)).not.toBe(text);
  writeFileSync(join(folder, path), change(text));
}

/** Publishes 2.0.0, which requires a seed; all pins stay. */
function release(): void {
  owner.edit("schema/rollout-wire.schema.json", (text) =>
    text.replace("rollout-wire/v1", "rollout-wire/v2").replaceAll('"task",', '"task", "seed",'),
  );
  owner.edit("schema/registry.json", (text) => {
    const registry = JSON.parse(text);
    for (const entry of registry.schemas) {
      if (entry.name === "rollout-wire") entry.version = "2.0.0";
    }
    return JSON.stringify(registry);
  });
}

test("every fixture is validated against its pinned version and the copies of the others", () => {
  expect(replay("trace-pipeline", "bscode")).toEqual({ records: 8, findings: [] });
  // Even if no repository has a copy of the schema.
  expect(replay("bscode")).toEqual({ records: 4, findings: [] });
});

test("a release causes no findings in repositories that match their pins", () => {
  release();
  expect(replay("trace-pipeline", "bscode")).toEqual({ records: 8, findings: [] });
});

test("an old copy resolves references to the names of old versions", () => {
  release();
  for (const file of ["schema/rollout-wire.schema.json", "schema/rollout-trace.schema.json"]) {
    owner.edit(file, (text) => text.replaceAll("rollout-trace/v1", "rollout-trace/v2"));
  }
  expect(replay("trace-pipeline", "bscode")).toEqual({ records: 8, findings: [] });
});

describe("a record that is rejected", () => {
  test("by the pinned version, if no repository has a copy of the schema", () => {
    edit(`bscode/${FIXTURE}`, (text) => text.replace('"branch_index":1', '"branch_index":-1'));
    expect(replay("bscode").findings).toMatchObject([
      {
        id: "replay",
        file: join(folder, "bscode", FIXTURE),
        pointer: "/branch_index",
        message: "is rejected by rollout-wire 1.0.0: must be >= 0, is -1",
        detail: "1 of 4 records of this file, for the same reason",
      },
    ]);
  });

  test("by every copy and the pinned version is reported once", () => {
    edit(`bscode/${FIXTURE}`, (text) => text.replace('"branch_index":1', '"branch_index":-1'));
    expect(replay("trace-pipeline", "bscode").findings).toHaveLength(1);
  });

  test("by a copy is reported with the copy and the pinned version, also after a release", () => {
    release();
    edit(`trace-pipeline/${SCHEMA}`, (text) => text.replace('"minimum": 1', '"minimum": 2'));
    const copy = join(folder, "trace-pipeline", SCHEMA);
    const message = `is accepted by rollout-wire 1.0.0, but rejected by ${copy}: must be >= 2, is 1`;
    const { findings } = replay("trace-pipeline", "bscode");
    const detail = "2 of 4 records of this file, for the same reason";
    expect(findings).toMatchObject([
      { message, detail },
      { message, detail },
    ]);
  });

  test("for another cause is another finding, however many records have the first one", () => {
    edit(`bscode/${FIXTURE}`, (text) => {
      const [record = ""] = text.split("\n");
      const negative = record.replace(/"branch_index":\d+/, '"branch_index":-1');
      const untitled = record.replace(/"task":"[^"]*"/, '"task":1');
      return [...Array(20).fill(negative), untitled, ""].join("\n");
    });
    expect(replay("bscode").findings).toMatchObject([
      {
        line: 1,
        pointer: "/branch_index",
        detail: "20 of 21 records of this file, for the same reason",
      },
      { line: 21, pointer: "/task", detail: "1 of 21 records of this file, for the same reason" },
    ]);
  });

  test("for another cause at the same place is another finding", () => {
    edit(`bscode/${FIXTURE}`, (text) => {
      const [record = ""] = text.split("\n");
      const without = (name: string): string => record.replace(new RegExp(`"${name}":[^,]*,`), "");
      return [without("temperature"), without("session_id"), ""].join("\n");
    });
    expect(replay("bscode").findings.map(({ detail }) => detail)).toEqual(
      Array(2).fill("1 of 2 records of this file, for the same reason"),
    );
  });

  test("by the pinned version but not by the copy", () => {
    edit(`trace-pipeline/${SCHEMA}`, (text) => text.replaceAll('"minimum": 0', '"minimum": -1'));
    edit(`trace-pipeline/${FIXTURE}`, (text) =>
      text.replace('"branch_index":1', '"branch_index":-1'),
    );
    const copy = join(folder, "trace-pipeline", SCHEMA);
    expect(replay("trace-pipeline").findings).toMatchObject([
      {
        message: `is accepted by ${copy}, but rejected by rollout-wire 1.0.0: must be >= 0, is -1`,
      },
    ]);
  });
});

test("lines that are no JSON are one finding, and the others are replayed", () => {
  edit(`bscode/${FIXTURE}`, (text) => `\ufeff${text.replaceAll("\n", "\r\n")}\r\n{"task": \nx\n`);
  const { records, findings } = replay("bscode");
  expect([records, findings]).toMatchObject([
    4,
    [
      {
        id: "replay",
        line: 6,
        message: "is no JSON, so it was not replayed",
        detail: "2 such lines in this file",
      },
    ],
  ]);
});

test("one record behind a byte-order mark is a record", () => {
  edit(`bscode/${FIXTURE}`, (text) => `\ufeff${text.split("\n")[0]}`);
  expect(replay("bscode")).toEqual({ records: 1, findings: [] });
});

test("a definition that Ajv cannot compile does not end the run", () => {
  edit(`trace-pipeline/${SCHEMA}`, (text) => {
    const schema = JSON.parse(text);
    schema.anyOf = [{ type: "object" }];
    for (const name of Object.keys(schema.$defs)) schema.$defs[name] = { $ref: "nowhere.json" };
    return JSON.stringify(schema);
  });
  expect(replay("trace-pipeline", "bscode")).toMatchObject({ records: 8 });
});
