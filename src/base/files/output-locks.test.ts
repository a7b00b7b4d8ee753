import {
  lstatSync,
  lutimesSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { useFolder } from "../testing/use-folder.js";
import { EXIT, UserError } from "../user-error.js";
import { createOwned } from "./owned-folder.js";
import { toLockPath, toStagedPath } from "./run-files.js";
import { FileStaging } from "./staging.js";
import { endedTag, foreignTag } from "./testing/owner-tags.js";

const inFolder = useFolder();

const open: FileStaging[] = [];
afterEach(async () => {
  for (const staging of open.splice(0)) await staging.close();
});
function start(): FileStaging {
  const staging = new FileStaging();
  open.push(staging);
  return staging;
}

const names = (): string[] => readdirSync(inFolder(".")).toSorted();

async function refusalOf(attempt: Promise<unknown>): Promise<UserError> {
  const error = await attempt.catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw new TypeError(`not refused: ${error}`);
  return error;
}

/** A lock and a staged file that the run `tag` left for an output. */
function leaveLock(output: string, tag: string): void {
  createOwned(toLockPath(output), tag);
  writeFileSync(toStagedPath(output, tag), "half");
}

/** What tells when the holder of an output's lock gave a sign of life. */
function signOf(output: string): string {
  const path = toLockPath(output);
  const [tag = ""] = lstatSync(path).isDirectory() ? readdirSync(path) : [];
  return join(path, tag);
}

/** Ten minutes without a sign of life. */
function silence(output: string): void {
  const path = signOf(output);
  const seen = new Date(lstatSync(path).mtimeMs - 600_000);
  lutimesSync(path, seen, seen);
}

describe("while a run may write an output", () => {
  test("another one is refused with the pid and the place, and disturbs nothing", async () => {
    const first = start();
    const file = await first.open(inFolder("a"));
    await file.write("first");
    for (const attempt of [start().reserve([inFolder("a")]), start().open(inFolder("a"))]) {
      const { message, exitCode } = await refusalOf(attempt);
      expect(exitCode).toBe(EXIT.usage);
      expect(message).toContain(
        `output ${inFolder("a")}: process ${process.pid} is writing it: wait for it, or choose another output`,
      );
    }
    await first.commit();
    await first.close();
    expect([names(), readFileSync(inFolder("a"), "utf8")]).toEqual([["a"], "first"]);
  });

  test("others may be written beside it", async () => {
    await start().reserve([inFolder("a")]);
    await start().reserve([inFolder("b")]);
  });

  test("another one with the same outputs in another order gets none of them", async () => {
    await start().reserve([inFolder("b"), inFolder("a")]);
    await refusalOf(start().reserve([inFolder("c"), inFolder("b"), inFolder("a")]));
  });
});

test("once it has ended, nothing remains, whether it wrote or not", async () => {
  await start().reserve([inFolder("a")]);
  expect(names()).not.toEqual([]);
  await open[0]?.close();
  expect(names()).toEqual([]);
  await start().reserve([inFolder("a")]);
});

test("the lock of a killed run is taken over", async () => {
  leaveLock(inFolder("a"), endedTag());
  await start().reserve([inFolder("a")]);
  expect(names()).toHaveLength(1);
});

describe("the lock of a run on another machine or in another container", () => {
  test("is honoured, and named for the case that the run has ended", async () => {
    const tag = foreignTag();
    leaveLock(inFolder("a"), tag);
    const { message } = await refusalOf(start().reserve([inFolder("a")]));
    expect(message).toContain("another machine or container is writing it (last sign of life");
    expect(message).toContain(`remove ${toLockPath(inFolder("a"))} if it has ended`);
    await start().reserve([inFolder("b")]);
    expect(names()).toContain(toStagedPath(inFolder("a"), tag).slice(inFolder(".").length + 1));
  });

  test("is taken over after ten minutes without a sign of life", async () => {
    leaveLock(inFolder("a"), foreignTag());
    silence(inFolder("a"));
    await start().reserve([inFolder("a")]);
    expect(names()).toHaveLength(1);
  });
});

test.each([
  ["a file", (path: string) => writeFileSync(path, "")],
  ["a link to a folder", (path: string) => symlinkSync(".", path)],
])("%s in the place of a lock is taken over after ten minutes", async (_, create) => {
  create(toLockPath(inFolder("a")));
  expect((await refusalOf(start().reserve([inFolder("a")]))).message).toContain("another process");
  silence(inFolder("a"));
  await start().reserve([inFolder("a")]);
});

test("a run gives a sign of life every minute, as long as it holds locks", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  try {
    const staging = start();
    await staging.reserve([inFolder("a")]);
    silence(inFolder("a"));
    const seen = () => lstatSync(signOf(inFolder("a"))).mtimeMs;
    const before = seen();
    vi.advanceTimersByTime(60_000);
    expect(seen() - before).toBeGreaterThan(500_000);
    await staging.close();
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("a staged file is not written through a link", async () => {
  writeFileSync(inFolder("victim"), "mine");
  const staging = start();
  await staging.reserve([inFolder("a")]);
  const [tag = ""] = readdirSync(toLockPath(inFolder("a")));
  symlinkSync(inFolder("victim"), toStagedPath(inFolder("a"), tag));
  expect((await refusalOf(staging.open(inFolder("a")))).message).toMatch(/a: cannot be written/);
  expect(readFileSync(inFolder("victim"), "utf8")).toBe("mine");
});

test("a run whose lock was taken over commits nothing", async () => {
  writeFileSync(inFolder("a"), "old");
  const staging = start();
  await (await staging.open(inFolder("a"))).write("new");
  rmSync(toLockPath(inFolder("a")), { recursive: true });
  expect((await refusalOf(staging.commit())).message).toMatch(/another run has taken it over/);
  expect(readFileSync(inFolder("a"), "utf8")).toBe("old");
});
