import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { blockLines, type SourceLine } from "../jsonl/blocks.js";
import { type RecordLine, toRecordLine } from "../jsonl/reader.js";
import { UserError } from "../user-error.js";
import { type LineRun, type LinesRequest, runLines } from "./run-lines.js";

let cwd = "";
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-lines-"));
  writeFileSync(join(cwd, "in"), '{"a":1}\nNaN\n{"b":2}\n');
  writeFileSync(join(cwd, "out"), "former");
});
afterEach(() => rmSync(cwd, { recursive: true }));

const FAULT = { id: "json", severity: "error", pointer: "", message: "is no record" } as const;

/** Copies the lines that hold an object to `out`, and leaves out the others. */
function copyLines(request: Partial<LinesRequest>, onRun: (run: LineRun) => void = () => {}) {
  const all = { files: ["in"], limits: { maxErrors: 9 }, ...request };
  return runLines(all, { cwd, stdin: Readable.from([]) }, async (run) => {
    onRun(run);
    const file = await run.open("out");
    let leftOut = 0;
    const take = async (line: RecordLine, source: SourceLine): Promise<void> => {
      if ("fault" in line) {
        run.findings.addChecked(line, await run.leaveOut(line, [FAULT], source));
        leftOut += 1;
      } else {
        run.findings.addChecked(line, []);
        await file.write(`${line.text}\n`);
      }
    };
    for await (const { file: name, block } of run.blocks()) {
      for (const source of blockLines(block)) await take(toRecordLine(name, source), source);
    }
    return { result: {}, leftOut };
  });
}

const read = (name: string): string => readFileSync(join(cwd, name), "utf8");

test("with an error, nothing is written, and nothing remains", async () => {
  const { written, findings } = await copyLines({ rejects: "rejects" });
  expect([written, findings.errors, read("out")]).toEqual([false, 1, "former"]);
  expect(readdirSync(cwd).toSorted()).toEqual(["in", "out"]);
});

test("missing folders of outputs are created, and removed if nothing is written", async () => {
  const write = async (mayBeEmpty: boolean): Promise<string[]> => {
    const request = {
      files: ["in"],
      limits: { maxErrors: 9 },
      mayBeEmpty,
      rejects: "kept/rejects",
    };
    await runLines(request, { cwd, stdin: Readable.from([]) }, async (run) => {
      for (const path of await run.lock(["new/a/one", "two"])) {
        await run.staging.write(path, ["text"]);
      }
      return { result: {} };
    });
    return readdirSync(cwd, { recursive: true }).map(String).toSorted();
  };
  // Without a record, it is an error.
  expect(await write(false)).toEqual(["in", "out"]);
  const folders = ["kept", "kept/rejects", "new", "new/a", "new/a/one"];
  expect(await write(true)).toEqual(["in", ...folders, "out", "two"]);
});

test("what is left out is a warning, and kept among the rejects", async () => {
  const redactRejects = (lines: Uint8Array) =>
    Buffer.from(Buffer.from(lines).toString().replace("NaN", "..."));
  const request = { skipInvalid: true, rejects: "rejects", redactRejects };
  const { written, findings, inputs } = await copyLines(request);
  expect([written, findings.errors, findings.warnings]).toEqual([true, 0, 1]);
  expect(read("out")).toBe('{"a":1}\n{"b":2}\n');
  expect(JSON.parse(read("rejects"))).toMatchObject({ file: "in", line: 2, text: "..." });
  expect(inputs).toEqual([{ file: "in", bytes: 20, hash: undefined }]);
});

test("a line that cannot be kept is not left out", async () => {
  const checks: Promise<void>[] = [];
  await copyLines({ skipInvalid: true }, (run) => {
    const line = { file: "in", line: 1, byteLength: 0, fault: { ...FAULT, column: 1 } };
    const tooLong = { line: 1, offset: 0, stored: Buffer.alloc(0), bytes: undefined };
    checks.push(expect(run.leaveOut(line, [FAULT], tooLong)).resolves.toEqual([FAULT]));
  });
  expect(checks).toHaveLength(1);
  await Promise.all(checks);
});

test("no record is an error, unless there may be none", async () => {
  for (const [text, message] of [
    ["\n", "contains no records: nothing was checked"],
    ["NaN\n", "contains no valid records: all were skipped"],
  ] as const) {
    writeFileSync(join(cwd, "in"), text);
    const { written, findings } = await copyLines({ skipInvalid: true });
    expect(written).toBe(false);
    const last = findings.toReport("test").findings.at(-1);
    expect(last).toMatchObject({ id: "no-records", message });
    expect((await copyLines({ skipInvalid: true, mayBeEmpty: true })).written).toBe(true);
  }
});

test("an output replaces neither an input nor another file that is read", async () => {
  await expect(copyLines({ keeps: ["out"] })).rejects.toThrow(UserError);
  await expect(copyLines({ files: ["in", "out"] })).rejects.toThrow("is also an input");
  expect(read("out")).toBe("former");
});

test("whatever ends a run, its resources are closed, and its folder is removed", async () => {
  let folder = "";
  let closed = 0;
  const run = copyLines({ files: ["none"] }, (each) => {
    folder = each.folder;
    each.closing({
      close() {
        closed += 1;
      },
    });
  });
  await expect(run).rejects.toThrow("none: no such file");
  expect([closed, existsSync(folder), read("out")]).toEqual([1, false, "former"]);
});
