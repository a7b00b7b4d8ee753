import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { BoundedRegExp } from "./bounded-reg-exp.js";

/**
 * An Ajv that gives the verdicts of the generated validators, except that no pattern can hang it, and
 * that it takes schemas as odd as mutants are: a bound beside no type, an enum that nothing can meet.
 */
export function createAjv(): Ajv2020 {
  const createRegExp = (pattern: string, flags: string) => new BoundedRegExp(pattern, flags);
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    // Who reads schemas has compared them with the meta-schema.
    validateSchema: false,
    // Only standalone code would need the code.
    code: { regExp: Object.assign(createRegExp, { code: "" }) },
  });
  addFormats.default(ajv);
  return ajv;
}
