import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UserError } from "../user-error.js";
import { type FileStaging, stageFiles } from "./stage-files.js";

let folder = "";
let staging: FileStaging;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rollout-wire-stage-"));
  staging = stageFiles();
});
afterEach(async () => {
  await staging.close();
  expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([]);
  rmSync(folder, { recursive: true });
});

const path = (name: string) => join(folder, name);
const read = (name: string) => readFileSync(path(name), "utf8");

describe("a file comes into place with the others", () => {
  test("and not before", async () => {
    writeFileSync(path("a"), "old");
    const [a, b] = [await staging.open(path("a")), await staging.open(path("b"))];
    await a.write("new ");
    await a.write(Buffer.from("é"));
    await b.write("b");
    expect([read("a"), existsSync(path("b"))]).toEqual(["old", false]);
    await staging.commit();
    expect([a.path, read("a"), read("b")]).toEqual([path("a"), "new é", "b"]);
  });

  test("or never", async () => {
    const a = await staging.open(path("a"));
    await a.write("new");
    await staging.close();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("with what was written since it was cleared", async () => {
    const a = await staging.open(path("a"));
    await a.write("a long text");
    await a.clear();
    await a.write("short");
    await staging.commit();
    expect(read("a")).toBe("short");
  });
});

describe("a file that is omitted", () => {
  test("goes when the others come, and not before", async () => {
    writeFileSync(path("a"), "old a");
    const [a, b] = [await staging.open(path("a")), await staging.open(path("b"))];
    await a.write("new a");
    await b.write("new b");
    a.omit();
    expect(read("a")).toBe("old a");
    await staging.commit();
    expect([existsSync(path("a")), read("b")]).toEqual([false, "new b"]);
  });

  test("need not have been there", async () => {
    (await staging.open(path("a"))).omit();
    await staging.open(path("b"));
    await staging.commit();
    expect([existsSync(path("a")), read("b")]).toEqual([false, ""]);
  });

  test("is back when another one cannot come into place", async () => {
    writeFileSync(path("a"), "old a");
    writeFileSync(path("b"), "old b");
    mkdirSync(path("folder"));
    writeFileSync(path("folder/x"), "");
    const [a, b] = [await staging.open(path("a")), await staging.open(path("b"))];
    a.omit();
    await b.write("new b");
    await staging.open(path("folder"));
    await expect(staging.commit()).rejects.toThrow(UserError);
    expect([read("a"), read("b")]).toEqual(["old a", "old b"]);
  });

  test("stays when the run is given up", async () => {
    writeFileSync(path("a"), "old a");
    (await staging.open(path("a"))).omit();
    await staging.close();
    expect(read("a")).toBe("old a");
  });
});

test("a file whose folder is not there", async () => {
  await expect(staging.open(path("none/a"))).rejects.toThrow(
    /none\/a: cannot be written: its folder does not exist/,
  );
});
