import type { Fixture } from "../fixtures/fixture.js";
import type { SourceSchema } from "../schemas/load-schemas.js";
import { createAjv } from "./create-ajv.js";
import { isSameSet, type Judge } from "./judge.js";
import { recordsOf } from "./records-of.js";

/**
 * The judge looks at one node at a time. Before anybody relies on it, its verdict on every fixture is
 * compared with that of Ajv on the whole schemas; throws when the two differ, which is a bug here.
 */
export function assertVerdicts(
  schemas: readonly SourceSchema[],
  fixtures: readonly Fixture[],
  judge: Judge,
): void {
  const ajv = createAjv();
  for (const { document } of schemas) ajv.addSchema(document);
  for (const { type, file, content } of fixtures) {
    const id = schemas.find(({ entryTypes }) => entryTypes.includes(type))?.id;
    const validate = ajv.getSchema(`${id}#/$defs/${type}`);
    if (validate === undefined) throw new Error(`no schema of the type ${type}`);
    for (const record of recordsOf(content)) {
      validate(record);
      const whole = (validate.errors ?? []).map(
        ({ instancePath, keyword }) => `${instancePath} ${keyword}`,
      );
      if (isSameSet(new Set(whole), judge.failuresOf(type, record))) continue;
      throw new Error(`the coverage of ${file} is judged otherwise than by its whole schema`);
    }
  }
}
