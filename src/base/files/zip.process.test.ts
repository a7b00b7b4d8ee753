import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isZip, listZip, readZipEntry } from "./zip.js";

const folder = mkdtempSync(join(tmpdir(), "rollout-wire-zip-"));
afterAll(() => rmSync(folder, { recursive: true }));

const path = join(folder, "a.eval");
/** A real archive, as Python's zipfile writes it: one entry deflated, one stored. */
const SCRIPT = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as archive:
    archive.writestr("samples/1.json", "{" + " " * 1000 + "}", zipfile.ZIP_DEFLATED)
    archive.writestr("samples/\u00e9.json", "[]", zipfile.ZIP_STORED)
    archive.comment = b"a comment"
`;

beforeAll(() => {
  const { status, stderr } = spawnSync("python3", ["-c", SCRIPT, path], { encoding: "utf8" });
  expect(status, stderr).toBe(0);
});

async function readAll(file: string): Promise<[name: string, text: string][]> {
  const handle = await open(file);
  try {
    const texts: [string, string][] = [];
    for (const entry of await listZip(file, handle)) {
      const bytes = await readZipEntry(file, handle, entry);
      texts.push([entry.name, Buffer.from(bytes).toString()]);
    }
    return texts;
  } finally {
    await handle.close();
  }
}

test("entries are read in order, deflated and stored", async () => {
  expect(await readAll(path)).toEqual([
    ["samples/1.json", `{${" ".repeat(1000)}}`],
    ["samples/é.json", "[]"],
  ]);
});

test("an archive is known by its first bytes", async () => {
  const other = join(folder, "b.jsonl");
  writeFileSync(other, "{}\n");
  const handles = await Promise.all([open(path), open(other), open(folder)]);
  expect(await Promise.all(handles.map(isZip))).toEqual([true, false, false]);
  for (const handle of handles) await handle.close();
});

describe("damage is an error that names the file", () => {
  test.each<[what: string, change: (bytes: Buffer) => Buffer]>([
    ["cut off", (bytes) => bytes.subarray(0, bytes.length - 40)],
    ["a wrong directory", (bytes) => flip(bytes, bytes.lastIndexOf("PK\x01\x02"))],
    ["wrong data", (bytes) => flip(bytes, 44)],
  ])("%s", async (_, change) => {
    const file = join(folder, "damaged.eval");
    writeFileSync(file, change(readFileSync(path)));
    await expect(readAll(file)).rejects.toThrow(/damaged\.eval.*: damaged ZIP data/);
  });

  test("a method that is not known is named", async () => {
    const file = join(folder, "method.eval");
    const bytes = readFileSync(path);
    bytes.writeUInt16LE(12, bytes.indexOf("PK\x01\x02") + 10);
    writeFileSync(file, bytes);
    await expect(readAll(file)).rejects.toThrow("samples/1.json: is compressed by the method 12");
  });
});

function flip(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 0xff;
  return bytes;
}
