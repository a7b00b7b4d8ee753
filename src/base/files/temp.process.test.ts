import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { bundleText } from "../testing/build-program.js";
import { UserError } from "../user-error.js";
import { createOwnerTag } from "./owners.js";
import { createTempFolder } from "./temp.js";
import { endedTag, foreignTag } from "./testing/owner-tags.js";

const tmp = process.env.TMPDIR;
let place = "";
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "rollout-wire-temp-"));
});
afterEach(() => {
  if (tmp === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = tmp;
  rmSync(place, { recursive: true });
});

test("an empty folder of its own in TMPDIR, which is removed with its contents", () => {
  process.env.TMPDIR = place;
  const listeners = process.listenerCount("SIGTERM");
  const [one, other] = [createTempFolder(), createTempFolder()];
  expect(readdirSync(place)).toHaveLength(2);
  expect(readdirSync(one.path)).toEqual([]);
  writeFileSync(join(one.path, "file"), "");
  one.remove();
  expect([existsSync(one.path), existsSync(other.path)]).toEqual([false, true]);
  other.remove();
  other.remove();
  expect(readdirSync(place)).toEqual([]);
  expect(process.listenerCount("SIGTERM")).toBe(listeners);
});

test("what killed processes left in TMPDIR is removed, and nothing else", () => {
  process.env.TMPDIR = place;
  const victim = join(place, "victim");
  mkdirSync(victim);
  writeFileSync(join(victim, "file"), "mine");
  const killed = join(place, `rollout-wire-${endedTag()}`);
  mkdirSync(killed);
  writeFileSync(join(killed, "input-0"), "");
  symlinkSync(victim, join(killed, "link"));
  const others = [createOwnerTag(), foreignTag(), "AbCdEf", `${endedTag()}x`];
  for (const tag of others) mkdirSync(join(place, `rollout-wire-${tag}`));
  symlinkSync(victim, join(place, `rollout-wire-${endedTag()}`));
  const before = readdirSync(place);
  createTempFolder().remove();
  expect(readdirSync(place)).toEqual(before.filter((name) => name !== basename(killed)));
  expect(readdirSync(victim)).toEqual(["file"]);
});

test("no temporary directory available", () => {
  process.env.TMPDIR = join(place, "none");
  expect(createTempFolder).toThrow(UserError);
  expect(createTempFolder).toThrow(
    /^cannot create a temporary folder: ENOENT.*set TMPDIR to another folder$/,
  );
});

test("a signal that ends the process removes it", () => {
  const program = `
    import { writeFileSync } from "node:fs";
    import { createTempFolder } from "./src/base/files/temp.js";
    const { path } = createTempFolder();
    writeFileSync(path + "/file", "");
    process.kill(process.pid, "SIGTERM");
    setInterval(() => {}, 1000);`;
  const { signal } = spawnSync(process.execPath, [bundleText(program)], {
    env: { ...process.env, TMPDIR: place },
  });
  expect(signal).toBe("SIGTERM");
  expect(readdirSync(place).filter((name) => name.startsWith("rollout-wire-"))).toEqual([]);
});
