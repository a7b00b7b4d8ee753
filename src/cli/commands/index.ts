import { type CommandEntry, type LoadedCommand, loadCommand, type Runner } from "../command.js";
import { createProgram } from "../run.js";

/** All commands, in the order of help. A command loads its modules only when it runs. */
export const commands: readonly CommandEntry[] = [
  {
    name: "validate",
    group: "data",
    summary: "check records, or JSONL against any JSON Schema",
    operands: "[file...]",
    load: () => import("./validate.js"),
  },
  {
    name: "import",
    group: "data",
    summary: "turn logs and rows into branches",
    operands: "[source-or-file...]",
    load: () => import("./import.js"),
  },
  {
    name: "rank",
    group: "data",
    summary: "score branches and rank them",
    load: () => import("./rank.js"),
  },
  {
    name: "export",
    group: "data",
    summary: "write training data, decontaminated",
    operands: "[file...]",
    load: () => import("./export.js"),
  },
  {
    name: "show",
    group: "data",
    summary: "look at rollouts in the terminal, or sum them up",
    operands: "<file...>",
    load: () => import("./show.js"),
  },
  {
    name: "report",
    group: "data",
    summary: "write rollouts, or the contract, as one HTML page",
    operands: "<file...>",
    load: () => import("./report.js"),
  },
  {
    name: "redact",
    group: "data",
    summary: "replace secrets by placeholders",
    operands: "<file...>",
    load: () => import("./redact.js"),
  },
  {
    name: "init",
    group: "contract",
    summary: "find schemas and copies here, write the configuration",
    operands: "[folder]",
    load: () => import("./init.js"),
  },
  {
    name: "generate",
    group: "contract",
    summary: "write types, guards and dataclasses from schemas",
    operands: "[schema...]",
    load: () => import("./generate.js"),
  },
  {
    name: "check",
    group: "contract",
    summary: "prove that schemas, code and fixtures agree",
    load: () => import("./check.js"),
  },
  {
    name: "diff",
    group: "contract",
    summary: "show what a schema change breaks, and prove it",
    operands: "<version...>",
    load: () => import("./diff.js"),
  },
  {
    name: "drift",
    group: "contract",
    summary: "verify copies and forks against their originals",
    load: () => import("./drift.js"),
  },
  {
    name: "sync",
    group: "contract",
    summary: "bring the copies of a repository up to date",
    load: () => import("./sync.js"),
  },
  {
    name: "shard split",
    group: "advanced",
    summary: "split rollouts into shards for several machines",
    load: () => import("./shard-split.js"),
  },
  {
    name: "shard index",
    group: "advanced",
    summary: "index an evaluation set once, for all shards",
    load: () => import("./shard-index.js"),
  },
  {
    name: "shard join",
    group: "advanced",
    summary: "join the exports of all shards into one dataset",
    operands: "<folder...>",
    load: () => import("./shard-join.js"),
  },
  {
    name: "migrate",
    group: "advanced",
    summary: "upgrade records to a new major version of a schema",
    operands: "<file...>",
    load: () => import("./migrate.js"),
  },
  {
    name: "worker",
    group: "advanced",
    summary: "run commands for an engine such as Spark, over pipes",
    load: async () => (await import("./worker.js")).createWorker(commands),
  },
  {
    name: "completion",
    group: "advanced",
    summary: "print the completion script of a shell",
    operands: "<shell>",
    load: async () => (await import("./completion.js")).createCompletion(loadCommands),
  },
];

/** Loads all commands. */
export async function loadCommands(): Promise<readonly LoadedCommand[]> {
  return await Promise.all(commands.map(loadCommand));
}

/** The program: runs one of the commands. */
export const run: Runner = createProgram(commands);
