import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { expect, test } from "vitest";
import { useFolder } from "../../testing/use-folder.js";
import { SpoolFolder } from "./folder.js";
import { LeftLogs } from "./orphans.js";

const inFolder = useFolder();
const OLD = "0mwreih5n-2d33244dd677.nobody";
const NEW = "0mwreih6n-2d33244dd677.nobody";

function leaveLog(name: string, segments: readonly string[]): void {
  mkdirSync(inFolder("test", name), { recursive: true });
  for (const [index, text] of segments.entries()) {
    writeFileSync(inFolder("test", name, `0000000${index + 1}.jsonl`), `${text}\n`);
  }
}

function openLogs() {
  const folder = new SpoolFolder(inFolder(), "test", Date.now);
  const said: string[] = [];
  let recovered = 0;
  const logs = new LeftLogs(folder, {
    settled: (records) => {
      recovered += records;
    },
    damaged: async () => {},
    unreadable: (path) => said.push(`unreadable ${path.slice(-14)}`),
    readable: (path) => said.push(`readable ${path.slice(-14)}`),
    gone: (path) => said.push(`gone ${path.slice(-14)}`),
  });
  /** Sends all that can be read now. */
  async function drain(): Promise<string[]> {
    const sent: string[] = [];
    for (let batch = await logs.next(); batch; batch = await logs.next()) {
      sent.push(...batch.lines);
      logs.finish();
    }
    return sent;
  }
  async function send(): Promise<string[]> {
    await logs.look();
    return drain();
  }
  return { logs, said, drain, send, recovered: () => recovered };
}

test("a segment that cannot be read stops its log, no other, and is sent once it can be", async () => {
  leaveLog(OLD, ['{"n":1}', '{"n":2}', '{"n":3}']);
  leaveLog(NEW, ['{"n":4}']);
  const segment = inFolder("test", OLD, "00000002.jsonl");
  renameSync(segment, inFolder("aside"));
  mkdirSync(segment);
  const { logs, said, send, recovered } = openLogs();
  expect(await send()).toEqual(['{"n":1}', '{"n":4}']);
  expect(await send()).toEqual([]);
  expect(said).toEqual(["unreadable 00000002.jsonl"]);
  expect([recovered(), logs.isEmpty, logs.bytes > 0]).toEqual([2, true, true]);
  // What comes after it is not marked as done, nor removed.
  const [log = ""] = readdirSync(inFolder("test")).filter((name) => name !== "owners");
  expect(readFileSync(inFolder("test", log, "done"), "utf8").trim()).toBe("1 1");

  rmdirSync(inFolder("test", log, "00000002.jsonl"));
  renameSync(inFolder("aside"), inFolder("test", log, "00000002.jsonl"));
  expect(await send()).toEqual(['{"n":2}', '{"n":3}']);
  expect(said.slice(1)).toEqual(["readable 00000002.jsonl"]);
  expect([recovered(), logs.bytes]).toEqual([4, 0]);
  expect(readdirSync(inFolder("test"))).toEqual(["owners"]);
});

test("a log that cannot even be listed is tried again", async () => {
  writeFileSync(inFolder("aside"), '{"n":1}\n');
  mkdirSync(inFolder("test"));
  // A file in its place.
  renameSync(inFolder("aside"), inFolder("test", OLD));
  const { logs, said, send } = openLogs();
  expect(await send()).toEqual([]);
  expect([said.length, logs.isEmpty]).toEqual([1, true]);
  const [log = ""] = readdirSync(inFolder("test")).filter((name) => name !== "owners");
  renameSync(inFolder("test", log), inFolder("aside"));
  mkdirSync(inFolder("test", log));
  renameSync(inFolder("aside"), inFolder("test", log, "00000001.jsonl"));
  expect(await send()).toEqual(['{"n":1}']);
});

test("a segment that is gone holds nothing up, and is said", async () => {
  leaveLog(OLD, ['{"n":1}', '{"n":2}', '{"n":3}']);
  const { logs, said, drain } = openLogs();
  await logs.look();
  const [log = ""] = readdirSync(inFolder("test")).filter((name) => name !== "owners");
  rmSync(inFolder("test", log, "00000002.jsonl"));
  expect(await drain()).toEqual(['{"n":1}', '{"n":3}']);
  expect(said).toEqual(["gone 00000002.jsonl"]);
});
