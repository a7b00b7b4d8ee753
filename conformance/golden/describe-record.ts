import { isJsonObject } from "../../src/json/value.js";

/**
 * What a person calls a record of an output: by the rollout and the branch that it names, in itself or in
 * its provenance. Undefined for one that names none, as some trainers want it.
 */
export function describeRecord(record: unknown): string | undefined {
  if (!isJsonObject(record)) return undefined;
  const { provenance } = record;
  const { rollout_id, branch_index } = { ...(isJsonObject(provenance) && provenance), ...record };
  if (rollout_id === undefined) return undefined;
  return `rollout ${rollout_id}${branch_index === undefined ? "" : `, branch ${branch_index}`}`;
}
