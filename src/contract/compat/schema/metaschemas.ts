import { Ajv } from "ajv";
import { Ajv2019 } from "ajv/dist/2019.js";
import { Ajv2020 } from "ajv/dist/2020.js";

/** The text of a metaschema of draft-07 or later, or of a part of one, by its `$id`. Ajv has them. */
export function findMetaschema(id: string): string | undefined {
  if (!/^https?:\/\/json-schema\.org\//.test(id)) return undefined;
  for (const { schemas } of [new Ajv2020(), new Ajv2019(), new Ajv()]) {
    const found = schemas[id];
    if (found !== undefined) return JSON.stringify(found.schema);
  }
  return undefined;
}
