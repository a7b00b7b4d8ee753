/**
 * Uses every module of the installed package, in any runtime, and prints what each call returns: one line per call, the same
 * in all runtimes. Reads `branches.jsonl`, `branches.jsonl.gz` and `faults.jsonl` in the current folder.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import * as root from "rollout-wire";
import * as capture from "rollout-wire/capture";
import * as conformance from "rollout-wire/conformance";
import * as delivery from "rollout-wire/delivery";
import * as eliza from "rollout-wire/eliza";
import * as exporter from "rollout-wire/export";
import * as redact from "rollout-wire/redact";
import * as reports from "rollout-wire/reports";
import * as schema from "rollout-wire/schema";
import * as types from "rollout-wire/types";
import * as validators from "rollout-wire/validators";

async function print(name, call) {
  let result;
  try {
    result = await call();
  } catch (error) {
    result = { [error.name]: error.message };
  }
  process.stdout.write(`${name} ${JSON.stringify(result)}\n`);
}

async function collect(lines) {
  const collected = [];
  for await (const batch of lines) collected.push(...batch);
  return collected;
}

const text = readFileSync("branches.jsonl", "utf8");
const branches = text
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line));
const [first] = branches;
const rollouts = [...root.groupByRollout(branches).values()];

const modules = {
  root,
  types,
  validators,
  schema,
  exporter,
  capture,
  delivery,
  redact,
  reports,
  eliza,
  conformance,
};
for (const [name, module] of Object.entries(modules))
  await print(name, () => Object.keys(module).sort());

await print("valid", () => branches.map(root.isRolloutBranchRecord));
await print("errors", () => root.findErrors("RolloutBranchRecord", { ...first, rank: "1" }));
await print("schema", () => conformance.schemaHashes(schema.rolloutWireSchema));

await print("file", () => collect(root.readRecords("branches.jsonl")));
await print("gzip", () => collect(root.readRecords("branches.jsonl.gz")));
await print("web stream", () => collect(root.readRecords(new Blob([text]).stream())));
await print("response", () => collect(root.readRecords(new Response(text))));
await print("faults", () => collect(root.readRecords("faults.jsonl")));
await print("loaded", () => root.loadRollouts("branches.jsonl*").toArray());
await print("faulty", () => root.loadRollouts("faults.jsonl").toArray());
await print("no file", () => collect(root.readRecords("missing.jsonl")));

const options = { exportedAtMs: 0 };
await print("dpo", () => rollouts.map((each) => root.toDpoRecord(each, options)));
await print("ppo", () => rollouts.map((each) => root.toPpoRecords(each, options)));
for (const target of Object.keys(exporter.targets)) {
  await print(target, () => root.exportRollouts(branches, { target, ...options }));
}
await print("overlap", () => {
  const item = { file: "eval.jsonl", line: 1, id: "1", text: first.task };
  return root.validateG3([{ id: "task", text: first.task.toUpperCase() }], [item]);
});

const TOKEN = `ghp_${"a1B2".repeat(9)}`;
await print("redacted", () => {
  const { task } = redact.redactSecrets()({ ...first, task: `${TOKEN} bob@example.com` });
  // A placeholder ends in a hash with a salt of the process.
  return task.replaceAll(/:[\da-f]{8}\]/g, "]");
});

const captured = [];
await print("captured", async () => {
  const agent = ({ branchIndex, recorder }) => {
    const callId = recorder.toolCall({ toolName: "t", args: { map: new Map([[1, 2n]]), f() {} } });
    recorder.toolResult({ callId, error: new TypeError("no") });
    if (branchIndex === 1) throw new RangeError("boom");
    return branchIndex === 2 ? new Promise(() => {}) : "four";
  };
  const run = { task: "t", rolloutId: "r", agent, branches: 3, timeoutMs: 200 };
  for await (const branch of capture.forkRollout(run)) captured.push(branch);
  return captured.sort((one, other) => one.branch_index - other.branch_index);
});
await print("ranked", () => root.rankBranches(captured));

async function deliver(options) {
  const sink = delivery.createSink(options);
  const queue = delivery.createDelivery({ sink, spoolDir: "out/spool" });
  for (const branch of branches) queue.push(branch);
  await queue.close();
  return queue.stats();
}
await print("to a file", () => deliver({ type: "file", dir: "out/sink" }));

const bodies = [];
const server = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  bodies.push([request.method, request.headers["content-type"], body]);
  response.end();
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}/`;
await print("to a server", () => deliver({ type: "http", url }));
await print("bodies", () => bodies);
await new Promise((resolve) => server.close(resolve));

await print("plugin", () => eliza.createRolloutPlugin({ sink: { type: "console" } }).name);
