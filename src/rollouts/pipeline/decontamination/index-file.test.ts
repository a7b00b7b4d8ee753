import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT, UserError } from "../../../base/user-error.js";
import { indexItems, openEvalIndex } from "../../wire/decontamination/eval-index.js";
import { templateText } from "../../wire/decontamination/testing/template-texts.js";
import { type EvalSet, encodeEvalSet, readEvalSet } from "./index-file.js";

let cwd = "";
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), "rollout-wire-index-"));
});
afterAll(() => rmSync(cwd, { recursive: true }));

const source = () => ({ cwd, stdin: Readable.from([]) });
const file = { file: "eval.jsonl", bytes: 7, sha256: `sha256:${"0".repeat(64)}` };
const texts = Array.from({ length: 12 }, (_, index) => templateText(`item${index}x`));
const items = [...texts, texts[3] ?? "", "short item", "…"].map((text, index) => ({
  id: `é${index}`,
  text,
  file: "eval.jsonl",
  line: index + 1,
}));
const tasks = [
  ...Array.from({ length: 20 }, (_, index) => templateText(`task${index}x`)),
  texts[3] ?? "",
  "a short item",
  "nothing of it",
];

function createSet(): EvalSet {
  const indexed = indexItems(items);
  const counter = openEvalIndex(indexed).createTaskCounter();
  for (const task of tasks) counter.add(task);
  return { indexed: { ...indexed, counts: counter.counts() }, file, partition: "sha256:1" };
}

function write(set: EvalSet): Buffer {
  const bytes = Buffer.concat(encodeEvalSet(set));
  writeFileSync(join(cwd, "eval.index"), bytes);
  return bytes;
}

test("an index that was written and read finds the same", () => {
  const set = createSet();
  write(set);
  const read = readEvalSet("eval.index", source());
  expect([read.file, read.partition]).toEqual([file, "sha256:1"]);
  expect(read.indexed.counts).toEqual(set.indexed.counts);
  const [one, other] = [openEvalIndex(set.indexed), openEvalIndex(read.indexed)];
  expect([other.n, other.itemCount, other.emptyItems]).toEqual([8, 15, one.emptyItems]);
  expect(one.boilerplate?.ngrams).toBe(13);
  expect(other.boilerplate?.examples).toEqual(one.boilerplate?.examples);
  for (const [index, text] of tasks.entries()) {
    const task = { id: `r${index}`, text };
    expect(other.compare(text, other.boilerplate)).toBe(one.compare(text, one.boilerplate));
    expect(other.findOverlaps(task, other.boilerplate)).toEqual(
      one.findOverlaps(task, one.boilerplate),
    );
    expect(other.findOverlaps(task)).toEqual(one.findOverlaps(task));
  }
  const contaminated = tasks.filter((task) => other.isContaminated(task, other.boilerplate));
  expect(contaminated).toEqual([texts[3], "a short item"]);
});

test("one without counted tasks has no boilerplate yet", () => {
  write({ indexed: indexItems(items, 3), file });
  const { indexed, partition } = readEvalSet("eval.index", source());
  expect([indexed.counts, partition, openEvalIndex(indexed).n]).toEqual([undefined, undefined, 3]);
  expect(openEvalIndex(indexed).boilerplate).toBeUndefined();
});

describe("refused", () => {
  const readError = (): unknown => {
    try {
      return readEvalSet("eval.index", source());
    } catch (error) {
      return error instanceof UserError ? [error.exitCode, error.message] : error;
    }
  };

  test("each byte that is changed, and each end that is lost", () => {
    const bytes = write(createSet());
    for (let at = 0; at < bytes.length; at += 97) {
      const changed = Uint8Array.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      for (const damaged of [changed, bytes.subarray(0, at)]) {
        writeFileSync(join(cwd, "eval.index"), damaged);
        expect(readError()).toEqual([
          EXIT.unreadable,
          expect.stringMatching(
            /^eval\.index: (damaged|no index of evaluation items): create it with/,
          ),
        ]);
      }
    }
  });

  test("an index of another version", () => {
    const [, header = new Uint8Array(), ...rest] = encodeEvalSet(createSet());
    const other = Buffer.from(header).toString().replace('"version":"', '"version":"9');
    const bytes = rehash([Buffer.from(other), ...rest]);
    writeFileSync(join(cwd, "eval.index"), bytes);
    expect(readError()).toEqual([
      EXIT.unreadable,
      expect.stringMatching(/^eval\.index: written by rollout-wire 9[^,]+, this is [^:]+: create/),
    ]);
  });

  test("a file that does not exist", () => {
    rmSync(join(cwd, "eval.index"));
    expect(readError()).toEqual([EXIT.unreadable, "eval.index: no such file"]);
  });
});

/** Puts the right hash before a body. */
function rehash(body: readonly Uint8Array[]): Buffer {
  const hash = createHash("sha256").update(Buffer.concat(body)).digest("hex");
  return Buffer.concat([Buffer.from(`rollout-wire-eval-index/v1 sha256:${hash}\n`), ...body]);
}
