import { UserError } from "../../src/user-error.js";
import { compileSchema, type Judge } from "./compile-schema.js";
import type { SchemaLocation, SchemaSet } from "./schema-set.js";

const judges = new WeakMap<SchemaSet, Map<string, Judge>>();

/** What Ajv says of values under a schema, which is compiled once. */
export function judgeOf(location: SchemaLocation): Judge {
  const { set, uri, pointer } = location;
  const known = judges.get(set) ?? new Map<string, Judge>();
  judges.set(set, known);
  const id = `${uri}#${pointer}`;
  const judge = known.get(id) ?? compileSchema(location);
  known.set(id, judge);
  return judge;
}

/** The same for records that have to be judged. Throws UserError (exit 3) for what Ajv cannot compile. */
export function requireJudge(location: SchemaLocation): Judge {
  const judge = judgeOf(location);
  if (judge.problem !== undefined) throw new UserError(judge.problem);
  return judge;
}
