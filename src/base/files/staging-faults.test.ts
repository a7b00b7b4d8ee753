import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { UserError } from "../user-error.js";
import { FileStaging } from "./staging.js";

/** Which calls fail: of rename, by their number from 1; all links. */
const faults = vi.hoisted(() => ({ noLinks: false, failing: new Set<number>(), calls: 0 }));

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const fail = (): never => {
    throw Object.assign(new Error("EIO: i/o error, rename"), { code: "EIO", syscall: "rename" });
  };
  return {
    ...fs,
    linkSync(from: string, to: string) {
      if (faults.noLinks) fail();
      fs.linkSync(from, to);
    },
    renameSync(from: string, to: string) {
      faults.calls += 1;
      if (faults.failing.has(faults.calls)) fail();
      fs.renameSync(from, to);
    },
  };
});

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-faults-"));
  Object.assign(faults, { noLinks: false, failing: new Set(), calls: 0 });
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Contents of the files, by name. */
function contents(): Record<string, string> {
  const names = readdirSync(folder).toSorted();
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Replaces two files, adds one and removes one. Returns the error message; undefined if it succeeded. */
async function commit(): Promise<string | undefined> {
  const staging = new FileStaging();
  try {
    for (const name of ["a", "b", "new"]) {
      await (await staging.open(join(folder, name))).write(`new ${name}`);
    }
    (await staging.open(join(folder, "removed"))).omit();
    await staging.commit();
    return undefined;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return error.message;
  } finally {
    await staging.close();
  }
}

const FORMER = { a: "old a", b: "old b", removed: "old removed" };
const NEW = { a: "new a", b: "new b", new: "new new" };

describe.each([
  ["with links", false, 3],
  ["without links", true, 6],
])("%s", (_, noLinks, renames) => {
  beforeEach(() => {
    faults.noLinks = noLinks;
    for (const [name, text] of Object.entries(FORMER)) writeFileSync(join(folder, name), text);
  });

  test("an output has one writer at a time", async () => {
    const [first, second] = [new FileStaging(), new FileStaging()];
    await first.reserve([join(folder, "a")]);
    await expect(second.reserve([join(folder, "a")])).rejects.toThrow(/is writing it/);
    await first.close();
    await second.reserve([join(folder, "a")]);
    await second.close();
    expect(contents()).toEqual(FORMER);
  });

  test("all files are replaced, and nothing else remains", async () => {
    expect(await commit()).toBeUndefined();
    expect(contents()).toEqual(NEW);
    expect(faults.calls).toBe(renames);
  });

  test.each(Array.from({ length: renames }, (_, index) => index + 1))(
    "if rename %i fails, the former files are back",
    async (failing) => {
      faults.failing.add(failing);
      expect(await commit()).toMatch(/: cannot be written: /);
      expect(contents()).toEqual(FORMER);
    },
  );

  test.each(Array.from({ length: renames }, (_, index) => index + 1))(
    "if all renames from %i fail, each former file is in its place or where the message says",
    async (first) => {
      for (let call = first; call < 100; call += 1) faults.failing.add(call);
      const message = (await commit()) ?? "";
      const kept = [...message.matchAll(/the former (\S+) is now ([^\s;]+)/g)];
      const found = contents();
      for (const [, path = "", former = ""] of kept) {
        const name = path.slice(folder.length + 1);
        found[name] = readFileSync(former, "utf8");
        delete found[former.slice(folder.length + 1)];
      }
      expect(found).toEqual(FORMER);
    },
  );
});

test("a staged file cannot be read by more people than the former one", async () => {
  const path = join(folder, "secret");
  writeFileSync(path, "old");
  chmodSync(path, 0o600);
  const staging = new FileStaging();
  await (await staging.open(path)).write("new");
  const staged = readdirSync(folder).find((name) => name.endsWith(".tmp")) ?? "";
  expect(statSync(join(folder, staged)).mode & 0o777).toBe(0o600);
  await staging.commit();
  await staging.close();
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(existsSync(join(folder, staged))).toBe(false);
});
