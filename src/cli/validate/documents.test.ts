import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createTestFolder, type TestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import { createBranch } from "../../rollouts/wire/export/testing/create-branch.js";
import { createCaptured } from "../../rollouts/wire/scoring/testing/create-captured.js";

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
});
afterEach(() => folder.remove());

const branch = (index: number, fields: object = {}) =>
  createBranch({ branch_index: index, rank: index + 1, total_score: 1 - index / 10, ...fields });

function print(value: unknown): string {
  return `\ufeff${JSON.stringify(value, null, 2).replaceAll("\n", "\r\n")}\r\n`;
}

/** Where a text is in a file, as `line:column`. */
function placeOf(text: string, part: string, nth = 0, shift = 0): string {
  const lines = text.replace(/^\ufeff/, "").split("\n");
  const line = lines.flatMap((each, at) => (each.includes(part) ? [at] : []))[nth] ?? -1;
  return `${line + 1}:${(lines[line]?.indexOf(part) ?? -1) + 1 + shift}`;
}

async function placesOf(...argv: string[]): Promise<string[]> {
  const { stdout } = await folder.run(argv);
  return stdout
    .split("\n")
    .slice(0, -1)
    .map((line) => line.replace(/^[^:]*:(\S+)\s+(\S+).*\((.*)\)$/, "$1 $2 $3"));
}

describe("a .json file with an array of records", () => {
  test("findings of records, tool events and rollouts have their places", async () => {
    const events = [{ event: "tool_call", data: { toolName: "a", callId: "1" } }];
    const text = print([
      branch(0, { tool_call_sequence: events }),
      branch(1, { objective_score: 7 }),
      branch(1, { rollout_id: "other", rank: 1 }),
      branch(3, { rollout_id: "other", rank: 5, tool_call_sequence: [{ tool_name: "x" }] }),
    ]);
    folder.write("a.json", text);
    const [line = 0, column = 0] = placeOf(text, '"tool_name"').split(":").map(Number);
    const eventPlace = `${line - 1}:${column - 2}`;
    const expected = [
      `${placeOf(text, " 7,", 0, 1)} /objective_score enum`,
      `${eventPlace} /tool_call_sequence/0 tool-event-dialect`,
      `${placeOf(text, "5,")} /rank rank-permutation`,
    ];
    expect(await placesOf("validate", "a.json")).toEqual(expected);
    folder.write("b.json.gz", gzipSync(text));
    expect((await placesOf("validate", "b.json.gz")).slice(0, 2)).toEqual(expected.slice(0, 2));
    folder.write("small.json", JSON.stringify([branch(0), branch(1, { rank: 9 })]));
    const rankColumn = JSON.stringify([branch(0), branch(1, { rank: 9 })]).indexOf('"rank":9') + 8;
    expect(await placesOf("validate", "small.json")).toEqual([
      `1:${rankColumn} /rank rank-permutation`,
    ]);
  });

  test("threads and blocks do not matter", async () => {
    const many = Array.from({ length: 1500 }, (_, index) =>
      branch(0, {
        rollout_id: `r-${index}`,
        final_answer: "x".repeat(1200),
        rank: index % 500 ? 1 : 2,
      }),
    );
    const text = print(many);
    folder.write("a.json", text);
    const lines = [0, 500, 1000].map(
      (index) =>
        text.split("\n").findIndex((line, at) => at > 0 && line.includes(`"r-${index}"`)) + 1,
    );
    const found = await placesOf("validate", "a.json", "--workers", "2");
    expect(found.map((each) => each.replace(/:.*? /, " "))).toEqual(
      lines.map(
        (line) =>
          `${
            line +
            text
              .split("\n")
              .slice(line)
              .findIndex((each) => each.includes('"rank"')) +
            1
          } /rank rank-permutation`,
      ),
    );
  });

  test("export and rank read it, and keep what they leave out", async () => {
    const records = [branch(0), branch(1, { final_answer: "no" }), branch(2, { rank: -1 })];
    folder.write("a.json", print(records));
    const common = ["--allow-missing-g3", "--skip-invalid", "--rejects", "rejects.jsonl"];
    const { exitCode } = await folder.run([
      "export",
      "--input",
      "a.json",
      "--target",
      "wire",
      ...common,
    ]);
    expect(exitCode).toBe(EXIT.ok);
    const ppo = readFileSync(join(folder.path, "ppo.jsonl"), "utf8").trimEnd().split("\n");
    expect(ppo.length).toBe(2);
    const reject = JSON.parse(readFileSync(join(folder.path, "rejects.jsonl"), "utf8"));
    expect(JSON.parse(reject.text)).toEqual(records[2]);
    const captured = [0, 1].map((branch_index) => ({
      ...createCaptured(),
      branch_index,
      objective_score: branch_index,
    }));
    // Scattered rollouts are read again.
    const other = { ...createCaptured(), rollout_id: "other", objective_score: 1 };
    folder.write("c.json", print([captured[0], other, captured[1]]));
    folder.write("c2.json.gz", gzipSync(print([captured[0], other, captured[1]])));
    for (const file of ["c.json", "c2.json.gz"]) {
      const ranked = await folder.run(["rank", "--input", file, "--output", "out.jsonl"]);
      expect(ranked.stderr).toContain("3 branches, 2 rollouts");
    }
    const explained = await folder.run([
      "export",
      "--input",
      "a.json",
      "--allow-missing-g3",
      "--explain",
      records[0]?.rollout_id ?? "",
    ]);
    expect(explained.stdout).toContain("2 valid branches");
  });

  test("a bad record spares only its own rollout", async () => {
    const text = print([
      branch(0),
      branch(1),
      branch(0, { rollout_id: "b" }),
      branch(1, { rollout_id: "b", rank: 3 }),
    ]);
    folder.write("a.json", text.replace('"branch_index": 1', '"branch_index": NaN'));
    expect(await placesOf("validate", "a.json")).toEqual([
      `${placeOf(text.replace('"branch_index": 1', '"branch_index": NaN'), "NaN")} (line) json`,
      `${placeOf(text, "3,")} /rank rank-permutation`,
    ]);
  });
});

test("a record that swallows another, or is cut off, spares every rollout of its file", async () => {
  const ids = ["a", "a", "b", "b"];
  const lines = ids.map((id, at) => JSON.stringify(branch(at % 2, { rollout_id: id })));
  const [a0 = "", a1 = "", b0 = "", b1 = ""] = lines;
  const swallowing = [a0, a1.slice(0, -2), b0.replace('"b"', 'b"'), b1].join(",\n");
  folder.write("a.json", `[${swallowing}]`);
  folder.write("b.json", `[${[b1, a0, a1].join(",\n").slice(0, -9)}`);
  for (const file of ["a.json", "b.json"]) {
    expect(await placesOf("validate", file)).toEqual([expect.stringMatching(/ json$/)]);
  }
});

test("a .json file with one record, with a schema of one's own too", async () => {
  const text = print(branch(0, { rank: "first" }));
  folder.write("a.json", text);
  const place = placeOf(text, '"first"');
  expect(await placesOf("validate", "a.json")).toEqual([`${place} /rank type`]);
  folder.write("s.json", '{"properties":{"rank":{"type":"integer"}}}');
  expect(await placesOf("validate", "a.json", "--schema", "s.json")).toEqual([
    `${place} /rank type`,
  ]);
});

test.each([
  ["lines", (lines: string[]) => lines.join("\n")],
  [
    "lines of which the first was cut off",
    (lines: string[]) => `{"rollout_id": "r",\n${lines.join("\n")}`,
  ],
])("a .json file of %s", async (_name, toText) => {
  folder.write("a.json", toText([branch(0), branch(1)].map((each) => JSON.stringify(each))));
  const { stderr } = await folder.run(["validate", "a.json"]);
  expect(stderr).toMatch(/ in [23] records/);
});

test.each([
  ["an empty array", "[\n]", "contains no records: nothing was checked"],
  ["an array that was cut off", "[\n", "unexpected end of input"],
  ["an array of anything", "[\n 1,\n null]", "must be an object"],
])("%s is an error", async (_name, text, message) => {
  folder.write("a.json", text);
  const { exitCode, stdout } = await folder.run(["validate", "a.json"]);
  expect(exitCode).toBe(EXIT.findings);
  expect(stdout).toContain(message);
});
