import type { CommandOutline } from "../command.js";

/**
 * What `--help` says of each command, in its order. It stands apart from the commands because these load validators,
 * exporters and more.
 */
export const outlines = [
  {
    name: "validate",
    summary: "check the structure and the semantics of JSONL records",
    operands: "[file...]",
  },
  {
    name: "import",
    summary: "import logs and rows (tinker, atif, messages) as captured branches",
    operands: "<source>",
    operandChoices: ["tinker", "atif", "messages"],
  },
  { name: "rank", summary: "rank captured branches for export" },
  { name: "export", summary: "export ranked branches as decontaminated DPO and PPO records" },
  {
    name: "decontaminate",
    summary: "index an evaluation set once, with the template text of all tasks, for many exports",
    operands: "<what>",
    operandChoices: ["index"],
  },
  { name: "partition", summary: "split rollouts into shards that machines export one by one" },
  {
    name: "merge",
    summary: "join the exports of all shards into one dataset",
    operands: "<folder...>",
  },
  {
    name: "show",
    summary: "show rollouts: their branches, where these part, scores, and why there is no pair",
    operands: "<file...>",
  },
  {
    name: "stats",
    summary: "sum up rollouts: pairs, reasons, scores, lengths",
    operands: "<file...>",
  },
  {
    name: "report",
    summary: "write rollouts and pairs, or the contract, as one HTML page",
    operands: "<file...>",
  },
  { name: "redact", summary: "replace secrets in JSONL by placeholders", operands: "<file...>" },
  {
    name: "migrate",
    summary: "upgrade records of an older major version of a schema",
    operands: "<file...>",
  },
  { name: "check", summary: "verify that schemas, generated code, fixtures and exporter agree" },
  {
    name: "diff",
    summary: "show what a schema change breaks, with a record that proves it",
    operands: "<version...>",
  },
  {
    name: "changelog",
    summary: "print the changelog entry of a schema change",
    operands: "<version...>",
  },
  { name: "init", summary: "propose the configuration of a repository", operands: "[folder]" },
  { name: "drift", summary: "verify that copies still equal their originals" },
  { name: "sync", summary: "update a repository's copies atomically and lock them" },
  { name: "worker", summary: "run commands for an engine such as Spark, over pipes" },
  {
    name: "completion",
    summary: "print the completion script of a shell (bash, zsh, fish)",
    operands: "<shell>",
    operandChoices: ["bash", "zsh", "fish"],
  },
] as const satisfies CommandOutline[];

export type CommandName = (typeof outlines)[number]["name"];

export function isCommandName(name: string): name is CommandName {
  return outlines.some((outline) => outline.name === name);
}

/** The outline of a command. */
export function outlineOf(name: CommandName): CommandOutline {
  const outline = outlines.find((each) => each.name === name);
  if (outline === undefined) throw new Error(`no command is called ${name}`);
  return outline;
}
