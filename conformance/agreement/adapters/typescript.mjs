/**
 * Validates records with generated TypeScript validators, whose module the command line names; see docs/schemas.md. A guard
 * or a Standard Schema that contradicts them is a fault.
 */

import { pathToFileURL } from "node:url";

const validators = await import(pathToFileURL(process.argv[2]).href);
const { findErrors } = validators;

/** Lines of standard input. `readline` would also split at U+2028 and U+2029, which JSON texts may contain. */
async function* readLines() {
  let rest = "";
  for await (const chunk of process.stdin.setEncoding("utf8")) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** The faults of a record, as every way to find them says. */
function judge(type, record) {
  const errors = findErrors(type, record).map(({ pointer, keyword }) => ({ pointer, keyword }));
  const isGuarded = validators[`is${type}`](record);
  if (isGuarded !== (errors.length === 0)) errors.push({ pointer: "", keyword: "guard" });
  const standard = validators[`${type}Schema`]?.["~standard"].validate(record);
  if (standard !== undefined && !isSame(standard.issues ?? [], errors)) {
    errors.push({ pointer: "", keyword: "standard-schema" });
  }
  return errors;
}

/** Whether issues of a Standard Schema are about the places of those errors, or about what is missing there. */
function isSame(issues, errors) {
  const isAbout = ({ path }, { pointer, keyword }) => {
    const tokens = path.map((key) => `/${`${key}`.replaceAll("~", "~0").replaceAll("/", "~1")}`);
    return pointer === (keyword === "required" ? tokens.slice(0, -1) : tokens).join("");
  };
  return issues.length === errors.length && issues.every((each, at) => isAbout(each, errors[at]));
}

let count = 0;
for await (const line of readLines()) {
  const { id, type, record } = JSON.parse(line);
  let errors;
  try {
    errors = judge(type, record);
  } catch (error) {
    // Code that fails on a record is wrong about it.
    errors = [{ pointer: "", keyword: error.name }];
  }
  process.stdout.write(`${JSON.stringify({ id, valid: errors.length === 0, errors })}\n`);
  count += 1;
}
process.stdout.write(`${JSON.stringify({ summary: { count } })}\n`);
