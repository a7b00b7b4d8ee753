/**
 * Runs G3 of the library alone:
 *
 *     node g3.mjs TASKS EVAL-ITEMS
 *
 * Reads both files and prints the number of overlaps. Fails if there are none, because the inputs contain
 * some.
 */
import { readFileSync } from "node:fs";
import { readEvalItems, validateG3 } from "rollout-wire";

const [tasksFile, evalFile] = process.argv.slice(2);
const tasks = readFileSync(tasksFile, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const findings = validateG3(tasks, await readEvalItems(evalFile));
process.stdout.write(`${JSON.stringify({ tasks: tasks.length, findings: findings.length })}\n`);
process.exitCode = findings.length > 0 ? 0 : 1;
