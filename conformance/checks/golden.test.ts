import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Finding } from "../../src/base/findings/finding.js";
import { copyRepository, type RepositoryCopy } from "../../src/base/testing/copy-repository.js";
import { Workspace } from "../workspace.js";
import { golden } from "./golden.js";

const FOLDER = "fixtures/golden/support-desk";

let copy: RepositoryCopy;

beforeEach(() => {
  copy = copyRepository([FOLDER]);
});

afterEach(() => copy.remove());

const DPO = `${FOLDER}/expected.training.dpo.jsonl`;
const INPUT = `${FOLDER}/input.jsonl`;

const read = (file: string): string => readFileSync(join(copy.root, file), "utf8");
const write = (file: string, text: string | Uint8Array): void =>
  writeFileSync(join(copy.root, file), text);

/** Findings for the copy. */
async function find(): Promise<readonly Finding[]> {
  return (await golden.run(new Workspace(copy.root))).findings;
}

describe("red", () => {
  test("a changed record: the field, with both values", async () => {
    const lines = read(DPO).split("\n");
    const { chosen, provenance } = JSON.parse(lines[2] ?? "");
    lines[2] = (lines[2] ?? "").replace(
      `"chosen":${JSON.stringify(chosen)}`,
      '"chosen":"Refund issued."',
    );
    write(DPO, lines.join("\n"));
    expect(await find()).toEqual([
      {
        id: "golden",
        severity: "error",
        file: DPO,
        line: 3,
        column: (lines[2] ?? "").indexOf('"Refund issued."') + 1,
        pointer: "/chosen",
        message: `rollout ${provenance.rollout_id}, field chosen`,
        detail: expect.stringMatching(/^@@ -1,1 \+1,3 @@\n- Refund issued\.\n\+ 中村様/),
      },
    ]);
  });

  test("a missing and an unexpected file", async () => {
    rmSync(join(copy.root, DPO));
    write(`${FOLDER}/expected.gone.dpo.jsonl`, "{}\n");
    expect((await find()).map(({ file, line, message }) => [file, line, message])).toEqual([
      [DPO, 1, "is missing"],
      [`${FOLDER}/expected.gone.dpo.jsonl`, 1, "is unexpected: it is no longer written"],
    ]);
  });

  test("files that are not part of a run", async () => {
    write("fixtures/golden/note.txt", "");
    write(`${FOLDER}/inputs.jsonl`, "");
    expect((await find()).map(({ file, message }) => `${file} ${message}`)).toEqual([
      "fixtures/golden/note.txt is not part of a golden run: remove it",
      `${FOLDER}/inputs.jsonl is not part of a golden run: remove it`,
    ]);
  });

  test.each<[string, (text: string) => string | Uint8Array, Partial<Finding>]>([
    ["the last line break", (text) => text.trimEnd(), { line: 1 }],
    ["windows line breaks", (text) => text.replaceAll("\n", "\r\n"), { line: 1 }],
    [
      "a different order of keys",
      (text) => reorder(text),
      { line: 1, message: expect.stringContaining("formatted differently") },
    ],
    ["an empty file", () => "", { line: 1, message: expect.stringContaining("is new") }],
  ])("%s", async (_name, change, finding) => {
    write(DPO, change(read(DPO)));
    expect((await find())[0]).toMatchObject({ file: DPO, ...finding });
  });

  test("a file without records, by field", async () => {
    const file = `${FOLDER}/expected.llama-factory.dataset_info.json`;
    write(file, read(file).replace('"sharegpt"', '"alpaca"'));
    expect(await find()).toEqual([
      expect.objectContaining({
        file,
        line: 4,
        column: 19,
        pointer: "/rollout_wire_dpo/formatting",
        message: "the file, field rollout_wire_dpo/formatting",
        detail: '- "alpaca"\n+ "sharegpt"',
      }),
    ]);
  });

  test("a changed input: every affected output is reported", async () => {
    write(INPUT, read(INPUT).replaceAll('"final_answer":"', '"final_answer":"Hello. '));
    const files = new Set((await find()).map(({ file }) => file));
    expect(files.size).toBeGreaterThan(8);
  });
});

describe("unusable inputs are findings", () => {
  test.each<[string, string, string | Uint8Array, Partial<Finding>]>([
    ["a line that is not JSON", INPUT, '\n{"a":}\n', { line: 2, column: 6, id: "json" }],
    ["not UTF-8", INPUT, Uint8Array.of(0x7b, 0xff), { line: 1, column: 2, id: "json" }],
    ["no records", INPUT, "\n", { line: 1, id: "no-records" }],
    [
      "an evaluation set without items",
      `${FOLDER}/eval-items.jsonl`,
      "",
      { line: 1, id: "unreadable" },
    ],
  ])("%s", async (_name, file, text, finding) => {
    write(file, text);
    expect((await find())[0]).toMatchObject({ file, ...finding });
  });

  test("no input, and branches that cannot be ranked", async () => {
    mkdirSync(join(copy.root, "fixtures/golden/empty"));
    write(INPUT, read(INPUT).replace('"objective_status":"pass"', '"objective_status":"fail"'));
    const found = await find();
    expect(found.map(({ file, id }) => `${file} ${id}`)).toContain(
      "fixtures/golden/empty/input.jsonl unreadable",
    );
    expect(found.find(({ file }) => file === INPUT)).toMatchObject({ line: expect.any(Number) });
  });
});

test("without golden runs nothing is counted", async () => {
  rmSync(join(copy.root, "fixtures/golden"), { recursive: true });
  expect((await golden.run(new Workspace(copy.root))).checked.map(({ count }) => count)).toEqual([
    0, 0,
  ]);
});

function reorder(text: string): string {
  const [first = "", ...rest] = text.split("\n");
  const entries = Object.entries(JSON.parse(first));
  return [JSON.stringify(Object.fromEntries(entries.toReversed())), ...rest].join("\n");
}
