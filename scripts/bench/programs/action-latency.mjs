/**
 * Latency of an agent's actions, as seen by the agent:
 *
 *     node action-latency.mjs PLUGIN ACTION_MS FOLDER
 *
 * PLUGIN is `none`, `refused` (records go to a port where nobody listens) or `hanging` (to a server that
 * never answers). Each action waits ACTION_MS milliseconds; 0 means that it does not wait. The plugin keeps
 * its records in FOLDER. Prints {"p50", "p99"} in milliseconds. Fails if a run was not recorded.
 */
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { createRolloutPlugin } from "rollout-wire/eliza";

const [kind, milliseconds, folder] = process.argv.slice(2);
const ACTION_MS = Number(milliseconds);
/** Concurrent actions, as in an agent with several users. */
const AT_ONCE = 8;
/** Enough that the slowest 1 % are five actions. */
const ACTIONS = 500;
/** Warm-up, not counted: V8 compiles code that runs often. */
const WARM_UP = 100;

const open = new Set();
const server = createServer((socket) => open.add(socket.on("error", () => {})));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();
if (kind === "refused") await new Promise((resolve) => server.close(resolve));

const runtime = {
  agentId: "agent",
  actions: [],
  logger: { info() {}, warn() {}, error() {} },
  registerAction(action) {
    this.actions.push(action);
  },
};
const text = "It is four, as it was yesterday. ".repeat(10);
runtime.registerAction({
  name: "ADD",
  async handler(_runtime, _message, _state, _options, callback) {
    if (ACTION_MS > 0) await wait(ACTION_MS);
    await callback({ text });
    return { success: true, text, data: { numbers: [2, 2], sum: 4 } };
  },
});

let plugin;
if (kind !== "none") {
  plugin = createRolloutPlugin({
    sink: { type: "http", url: `http://127.0.0.1:${port}/ingest`, timeoutMs: 500 },
    spoolDir: join(folder, "spool"),
    flushTimeoutMs: 2000,
  });
  await plugin.init({}, runtime);
}

const [{ handler }] = runtime.actions;
async function run(task) {
  const message = { roomId: "room", content: { text: task } };
  const state = { values: {}, data: {}, text: "" };
  const started = performance.now();
  await handler(runtime, message, state, {}, async () => [], [message]);
  return performance.now() - started;
}

const times = [];
let next = 0;
async function answer() {
  while (next < WARM_UP + ACTIONS) {
    next += 1;
    const isWarm = next > WARM_UP;
    const time = await run(`What is 2+2, asked for the ${next}th time?`);
    if (isWarm) times.push(time);
    // Messages arrive one after the other, not in one tick.
    await new Promise((resolve) => setImmediate(resolve));
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, answer));
times.sort((a, b) => a - b);
const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))];

if (plugin !== undefined) {
  await plugin.flush();
  const { captured, delivery } = plugin.stats();
  if (captured !== WARM_UP + ACTIONS || delivery.dropped > 0 || delivery.delivered > 0) {
    throw new Error(`not all was recorded: ${JSON.stringify(plugin.stats())}`);
  }
  await plugin.close();
}
for (const socket of open) socket.destroy();
server.close();
process.stdout.write(`${JSON.stringify({ p50: at(0.5), p99: at(0.99) })}\n`);
