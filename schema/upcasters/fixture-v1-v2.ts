import type { JsonObject } from "../../src/base/json/value.js";

/** The file of a fixture in version 1: `fixtures/valid/PpoRecord/plugin-example.json`. */
const FILE = /^fixtures\/(?:valid|invalid)\/([^/]+\/[^/]+)\.json$/;

/** Upgrades a record of fixture/v1 to fixture/v2: a list of known failures. A single fixture is no suite. */
export function upcast(record: JsonObject): JsonObject {
  const { known_failures: failures } = record;
  if (!Array.isArray(failures)) {
    throw new Error("a suite needs the type and the name of each fixture, which only its path had");
  }
  return { ...record, known_failures: failures.map(toTypeAndName) };
}

/** Names a fixture by its type and name, `PpoRecord/plugin-example`, instead of its file. */
function toTypeAndName(failure: unknown): unknown {
  if (typeof failure !== "object" || failure === null || !("fixture" in failure)) return failure;
  const [, name] = FILE.exec(String(failure.fixture)) ?? [];
  if (name === undefined) throw new Error(`${failure.fixture} is no file of a fixture`);
  return { ...failure, fixture: name };
}
