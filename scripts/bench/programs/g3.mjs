/**
 * G3 as the library does it, alone:
 *
 *     node g3.mjs TASKS EVAL-ITEMS
 *
 * reads both files and prints how many overlaps it found. None is a failure: the inputs hold some.
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
