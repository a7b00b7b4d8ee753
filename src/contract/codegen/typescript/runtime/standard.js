// @ts-check
/** Definitions for libraries that take a Standard Schema: https://standardschema.dev, version 1. */
import { findFaults } from "./faults.js";

/** @import { Fault, Formats } from "./faults.js" */
/** @import { Definition } from "./members.js" */

/**
 * @param {Definition} definition
 * @param {Formats} formats
 */
export function toStandardSchema(definition, formats) {
  const validate = (/** @type {unknown} */ value) => {
    const faults = findFaults(definition, value, formats);
    return faults.length === 0
      ? { value }
      : { issues: faults.map((fault) => toIssue(fault, value)) };
  };
  return { "~standard": { version: 1, vendor: "rollout-wire", validate } };
}

/**
 * The path leads to the value, or to the property that is missing.
 * @param {Fault} fault
 * @param {any} root
 */
function toIssue({ pointer, keyword, message, cause }, root) {
  let value = root;
  const path = pointer
    .split("/")
    .slice(1)
    .map((token) => {
      const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
      const key = Array.isArray(value) ? Number(name) : name;
      value = value[key];
      return key;
    });
  return { message, path: keyword === "required" ? [...path, cause] : path };
}
