import { basename } from "node:path";
import { type FixtureSuite, isFixtureSuite } from "#generated/index.js";
import { applyEdit } from "../../base/json/edit.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { listJsonFiles } from "../schemas/artefacts.js";
import { readJsonFile } from "../schemas/read-json-file.js";
import type { ContractExample, ContractType } from "./contract-data.js";
import { toList } from "./describe-type.js";

/** Where a checkout has its fixtures. The npm package has none. */
const SUITES = "fixtures/suites";

/** Examples of a type that are shown. */
const MAX_EXAMPLES = 10;

/** The valid fixtures of every type below `root`, by the name of the type. */
export function readSuites(root: string): ReadonlyMap<string, readonly ContractExample[]> {
  const suites = listJsonFiles(root, SUITES).flatMap((file) => {
    const { value } = readJsonFile(root, file);
    return isFixtureSuite(value) ? [[basename(file, ".json"), listValid(value)] as const] : [];
  });
  return new Map(suites);
}

/** The examples of a type: those in its schema, then its valid fixtures. */
export function describeExamples(
  node: JsonObject,
  fixtures: readonly ContractExample[] = [],
): Pick<ContractType, "examples" | "exampleCount"> {
  const own = toList(node.examples).map((value, index) =>
    toExample(`example ${index + 1}`, "", value),
  );
  const all = [...own, ...fixtures];
  return { examples: all.slice(0, MAX_EXAMPLES), exampleCount: all.length };
}

/** Fixtures that are one record. Rollouts and texts are no examples of a type. */
function listValid({ base, valid }: FixtureSuite): ContractExample[] {
  const records = new Map<string | undefined, unknown>([[undefined, base]]);
  return valid.flatMap(({ name, why, record, rollout, text, from, remove, set }) => {
    const isWhole = record !== undefined;
    if (rollout !== undefined || text !== undefined || !(isWhole || records.has(from))) return [];
    const edit = { ...(remove && { remove }), ...(set && { set }) };
    const value = isWhole ? record : applyEdit(records.get(from), edit).value;
    records.set(name, value);
    return isJsonObject(value) ? [toExample(name, why, value)] : [];
  });
}

function toExample(name: string, why: string, value: unknown): ContractExample {
  return { name, why, json: JSON.stringify(value, undefined, 2) };
}
