import { UserError } from "../../base/user-error.js";
import { type AjvValidator, compileSchema } from "./ajv/ajv.js";
import type { SchemaLocation, SchemaSet } from "./schema/schema-set.js";

const validators = new WeakMap<SchemaSet, Map<string, AjvValidator>>();

/** The Ajv validator of a schema, compiled once. */
export function validatorOf(location: SchemaLocation): AjvValidator {
  const { set, uri, pointer } = location;
  const known = validators.get(set) ?? new Map<string, AjvValidator>();
  validators.set(set, known);
  const id = `${uri}#${pointer}`;
  const validator = known.get(id) ?? compileSchema(location);
  known.set(id, validator);
  return validator;
}

/** The same, but throws UserError (exit 3) if Ajv cannot compile the schema. */
export function requireValidator(location: SchemaLocation): AjvValidator {
  const validator = validatorOf(location);
  if (validator.problem !== undefined) throw new UserError(validator.problem);
  return validator;
}
