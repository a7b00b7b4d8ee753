import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { readFrozenSchema } from "../../../../conformance/registry/testing/frozen-repository.js";
import { sha256 } from "../../../base/files/hash.js";
import { isJsonObject, type JsonObject } from "../../../base/json/value.js";

/** The records that each of the three repositories holds under the same path. */
export const RECORDS = "fixtures/data-loop/rollout-branches.v1.jsonl";
/** The pipeline's fork of the whole schema. */
export const FORK = "src/datafactory/rollout_wire.v1.schema.json";
/** The pipeline's schema of one record type. */
export const PPO = "schemas/ppo.json";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** A rollout whose second branch has the build status `success`. */
function toRecords(branches: number): string {
  const lines = Array.from({ length: branches }, (_, index) => ({
    rollout_id: "r",
    task: "Fix the build.",
    branch_index: index,
    temperature: 0.5,
    session_id: "s",
    tool_call_sequence: [],
    final_answer: "Done.",
    objective_score: index === 1 ? 0 : 1,
    rank: index === 1 ? branches : index + 1 - Number(index > 1),
    total_score: index === 1 ? 0.15 : 1.15,
    build_result: { status: index === 1 ? "success" : "passed" },
  }));
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** The frozen schema, with its definitions. */
export function readWire(): JsonObject & { $defs: Record<string, JsonObject> } {
  const { $defs, ...wire }: JsonObject = JSON.parse(readFrozenSchema("rollout-wire").toString());
  const definitions = Object.entries(isJsonObject($defs) ? $defs : {});
  return {
    ...wire,
    $defs: Object.fromEntries(definitions.filter(isDefinition)),
  };
}

function isDefinition(entry: [string, unknown]): entry is [string, JsonObject] {
  return isJsonObject(entry[1]);
}

/** References to definitions become references to a file beside it. */
function referTo(file: string, schema: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${file}#/$defs/`));
}

/** The runtime: one file for each record type, with references by file name and a `oneOf` over them. */
function listRuntime(): Record<string, unknown> {
  const { $defs } = readWire();
  const types = {
    RolloutBranchRecord: "rollout-branch-record",
    DpoRecord: "dpo-record",
    PpoRecord: "ppo-record",
  };
  const own = new Set(Object.keys(types));
  const shared = Object.entries($defs).filter(([name]) => !own.has(name));
  const files = Object.entries(types).map(([name, file]) => [
    `schemas/${file}.schema.json`,
    { $schema: DRAFT, title: name, ...referTo("_base.schema.json", $defs[name] ?? {}) },
  ]);
  return {
    ...Object.fromEntries(files),
    "schemas/_base.schema.json": { $schema: DRAFT, $defs: Object.fromEntries(shared) },
    "schemas/rollout-wire.schema.json": {
      $schema: DRAFT,
      $id: "https://runtime.example/schemas/rollout-wire/v1",
      title: "rollout-wire/v1",
      oneOf: Object.values(types).map((file) => ({ $ref: `${file}.schema.json` })),
    },
    "packages/core/src/ranking/types.ts": `import type { Verdict } from "./verdict.js";

export interface RolloutBranchRecord {
  rollout_id: string;
  task: string;
  branch_index: number;
  temperature: number;
  session_id: string;
  tool_call_sequence: ToolEvent[];
  final_answer: string;
  objective_score: 0 | 1;
  rank: number;
  total_score: number;
  verdict?: Verdict;
}

export type ToolEvent = { event?: string; channel?: string; data?: { toolName?: string } };
`,
    [RECORDS]: toRecords(2),
    ".gitignore": "dist/\n",
    "dist/schemas/rollout-wire.schema.json": readWire(),
  };
}

/** The pipeline: a fork that allows two build statuses, a schema of one record type, and a Python package. */
function listPipeline(): Record<string, unknown> {
  const fork = readWire();
  Object.assign(Object(fork.$defs.RolloutBranch?.properties), {
    build_result: {
      type: ["object", "null"],
      properties: { status: { enum: ["passed", "failed"] } },
    },
  });
  return {
    [FORK]: fork,
    [PPO]: {
      $schema: DRAFT,
      title: "PpoTrainingRecord",
      type: "object",
      properties: { messages: { type: "array" }, reward: { type: "number" } },
      required: ["messages", "reward"],
    },
    "src/datafactory/__init__.py": "",
    "src/datafactory/records.py": `from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass
class PpoTrainingRecord:
    messages: list[dict]
    reward: float
    loss_weight: float = 1.0


def load_branches(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()]
`,
    "tests/test_records.py": `import json
import unittest
from pathlib import Path

from datafactory.records import load_branches

ROOT = Path(__file__).parent.parent


class RecordsTest(unittest.TestCase):
    def test_branches(self):
        branches = load_branches(ROOT / "${RECORDS}")
        self.assertEqual([branch["branch_index"] for branch in branches], [0, 1, 2])

    def test_schema(self):
        schema = json.loads((ROOT / "${FORK}").read_text())
        self.assertIn("RolloutBranch", schema["$defs"])
`,
    [RECORDS]: toRecords(3),
    "fixtures/data-loop/fixtures.lock.json": {
      note: "byte-identical in wasmagent-js, trace-pipeline and bscode",
      files: { "rollout-branches.v1.jsonl": sha256(toRecords(2)) },
    },
  };
}

const REPOSITORIES: Readonly<Record<string, () => Record<string, unknown>>> = {
  runtime: listRuntime,
  pipeline: listPipeline,
  product: () => ({ [RECORDS]: toRecords(2) }),
};

/**
 * Writes three repositories into `folder` as they are before they adopt this package: wasmagent-js in `runtime`,
 * trace-pipeline in `pipeline`, bscode in `product`. They hold schemas, types and records of their own, in layouts of
 * their own; a lock of the pipeline claims that a fixture is the same in all three, which it is not.
 */
export function createReplica(folder: string): void {
  for (const [name, listFiles] of Object.entries(REPOSITORIES)) {
    rmSync(join(folder, name), { recursive: true, force: true });
    for (const [path, content] of Object.entries(listFiles())) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      const text = typeof content === "string" ? content : `${JSON.stringify(content, null, 2)}\n`;
      writeFileSync(file, text);
    }
  }
}
