import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countAttacks } from "../../../base/testing/attacks.js";
import { bundleFile } from "../../../base/testing/build-program.js";
import { collectMessages } from "../../../base/testing/collect-messages.js";
import { eventually } from "../../../base/testing/eventually.js";
import { NumberedSink, numbersUpTo } from "../../../base/testing/numbered-sink.js";
import { createDelivery } from "./create-delivery.js";
import { type Damage, DamagedLog } from "./testing/damaged-log.js";
import { FILE_DAMAGES } from "./testing/file-damages.js";
import { LINE_DAMAGES } from "./testing/line-damages.js";
import { NOTE_DAMAGES } from "./testing/note-damages.js";
import { SEGMENT_DAMAGES } from "./testing/segment-damages.js";

const SCRIPT = fileURLToPath(new URL("testing/push-and-die.ts", import.meta.url));
const PUSHED = 70;
const LIMITS = { queueSize: 10, batchSize: 4 };
const SEGMENT_BATCHES = [4, 4, 2];

const DAMAGES: readonly Damage[] = [
  { name: "none: closed", log: "closed", damage: () => {}, delivered: 70 },
  { name: "none: killed", log: "killed", damage: () => {}, delivered: 70 },
  { name: "none: half", log: "half", damage: () => {}, delivered: 46 },
  ...SEGMENT_DAMAGES,
  ...FILE_DAMAGES,
  ...LINE_DAMAGES,
  ...NOTE_DAMAGES,
];

let root = "";
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "rollout-wire-damage-"));
  await Promise.all([leave("closed", 0), leave("half", 7), die("killed")]);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function toRecord(number: number): object {
  return { number, text: `text ${number} äöü` };
}

/** Leaves a log of which so many batches have arrived. */
async function leave(name: string, batches: number): Promise<void> {
  const sink = new NumberedSink();
  sink.attempt = () => {
    if (sink.batches.length > batches) throw new Error("it is down");
  };
  const retry = { firstDelayMs: 1e9, maxDelayMs: 1e9 };
  const delivery = createDelivery({ sink, spoolDir: join(root, name), retry, ...LIMITS });
  for (const number of numbersUpTo(PUSHED)) delivery.push(toRecord(number));
  await delivery.close();
}

async function die(name: string): Promise<void> {
  const args = [bundleFile(SCRIPT), join(root, name), String(PUSHED)];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
}

/** The key under which a record of this log must be sent. */
function toKey(log: string, number: number): string {
  const inSegment = number % LIMITS.queueSize;
  const batch = inSegment < 4 ? 1 : inSegment < 8 ? 2 : SEGMENT_BATCHES.length;
  return `${log}-${Math.floor(number / LIMITS.queueSize) + 1}-${batch}`;
}

interface Row {
  readonly name: string;
  readonly pushed: number;
  readonly delivered: number;
  readonly rejected: number;
  readonly dropped: number;
  readonly again: number;
  readonly unknown: number;
  readonly left: number;
}
const rows: Row[] = [];

function logsIn(spool: string): string[] {
  const path = join(spool, "test");
  return existsSync(path)
    ? readdirSync(path).filter(
        (name) => /^[a-z0-9]+-.*\./.test(name) && !name.startsWith("rejected"),
      )
    : [];
}

test.for(DAMAGES)("$name", async (damage, context) => {
  const attacks = countAttacks(context, "damaged spools", 1);
  await attacks.attemptAll(1, () => expectAccounted(damage));
});

/** A delivery that takes the damaged log over delivers every intact record, and accounts for all others. */
async function expectAccounted(damage: Damage): Promise<void> {
  const { rejected = 0, dropped = 0, again = 0, unknown = 0, left = 0 } = damage;
  const folder = mkdtempSync(join(root, "case-"));
  const spool = join(folder, "spool");
  cpSync(join(root, damage.log), spool, { recursive: true, preserveTimestamps: true });
  mkdirSync(join(folder, "outside"));
  const log = new DamagedLog(join(spool, "test"), join(folder, "outside"));
  const id = log.path.split("/").at(-1)?.split(".")[0] ?? "";
  damage.damage(log);

  const sink = new NumberedSink();
  const { logger, messages } = collectMessages();
  const delivery = createDelivery({ sink, spoolDir: spool, logger, ...LIMITS });
  if (left === 0) await eventually(() => logsIn(spool)).toEqual([]);
  else await eventually(() => messages.join("\n")).toMatch(/cannot be read, retrying/);
  await delivery.close();
  const stats = delivery.stats();

  // Nothing is lost without a count, except what nobody can know.
  const arrivedBefore = damage.log === "half" ? 24 : 0;
  const row = {
    name: damage.name,
    pushed: PUSHED - arrivedBefore,
    delivered: stats.delivered,
    rejected: stats.rejected,
    dropped: stats.dropped,
    again: sink.arrived.filter((number) => number < arrivedBefore).length,
    unknown,
    left,
  };
  rows.push(row);
  expect(row).toMatchObject({ delivered: damage.delivered, rejected, dropped, again });
  expect(row.delivered - again + rejected + dropped + unknown + left).toBe(row.pushed);
  expect(stats.recovered).toBe(row.delivered + rejected + dropped);

  // What arrives is what was pushed: once, and under the key that it always had.
  expect(new Set(sink.arrived).size).toBe(sink.arrived.length);
  for (const { key, lines } of sink.batches) {
    for (const line of lines) {
      const { number } = JSON.parse(line);
      expect(line).toBe(JSON.stringify(toRecord(number)));
      expect(key).toBe(toKey(id, number));
    }
  }

  // Each loss is logged, and damaged lines are kept.
  const faults = messages.filter((message) => !message.startsWith("info: "));
  if (damage.says === undefined) expect(faults.length > 0).toBe(rejected + dropped > 0);
  else expect(faults.join("\n")).toMatch(damage.says);
  if (dropped > 0) expect(faults.join("\n")).toMatch(/records? DROPPED: missing on disk/);
  const letters = existsSync(join(spool, "test"))
    ? readdirSync(join(spool, "test")).filter((name) => name.startsWith("rejected-"))
    : [];
  expect(letters).toHaveLength(rejected > 0 ? 1 : 0);
  for (const name of letters) {
    const kept = readFileSync(join(spool, "test", name), "utf8")
      .trimEnd()
      .split("\n");
    expect(kept.length).toBeGreaterThanOrEqual(rejected);
  }
}

test("all damages were tried", () => {
  const counts = rows.map((row) => Object.values(row).join("\t"));
  process.stdout.write(`${[Object.keys(rows[0] ?? {}).join("\t"), ...counts].join("\n")}\n`);
  expect(rows.map(({ name }) => name)).toEqual(DAMAGES.map(({ name }) => name));
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
  expect(rows.length).toBeGreaterThanOrEqual(80);
});
