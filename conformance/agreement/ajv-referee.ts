import { setImmediate } from "node:timers/promises";
import type { ValidateFunction } from "ajv/dist/2020.js";
import type { AdapterFault, AdapterVerdict } from "#generated/index.js";
import { CONFIG_FILE } from "../../src/base/package.js";
import type { Definitions } from "../../src/contract/schemas/definitions.js";
import { validatorByAjv } from "../coverage/distinguish.js";
import type { Implementation } from "./adapter.js";

/** Records that are judged before other programs are heard. */
const AT_ONCE = 200;

/** Ajv, by the schemas in normal form. */
export function createAjvReferee(definitions: Definitions): Implementation {
  return {
    id: "ajv",
    file: CONFIG_FILE,
    async judge(records) {
      const verdicts: AdapterVerdict[] = [];
      for (const [id, { type, text }] of records.entries()) {
        if (id % AT_ONCE === 0) await setImmediate();
        const errors = findFaults(validatorByAjv(type, definitions), JSON.parse(text));
        verdicts.push({ id, valid: errors.length === 0, errors });
      }
      return verdicts;
    },
  };
}

function findFaults(validate: ValidateFunction, record: unknown): AdapterFault[] {
  try {
    validate(record);
  } catch {
    // The package takes members for methods, and has no limit on depth but the stack.
    return [{ pointer: "", keyword: "json" }];
  }
  return (validate.errors ?? []).map(({ instancePath, keyword }) => {
    return { pointer: instancePath, keyword };
  });
}
