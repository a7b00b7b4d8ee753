import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import type { ContractIndex } from "../../contract/pages/contract-data.js";
import { schemaHashes } from "../../contract/schemas/hashes.js";
import { unpackIndex } from "../../rollouts/look/report/testing/unpack-page.js";
import { ATTACK, ODD_NAME, writeRepository } from "./testing/write-repository.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
writeRepository(folder.path);

const read = (name: string): string => readFileSync(join(folder.path, name), "utf8");
const report = (...argv: string[]) => folder.run(["report", "contract", ...argv]);

describe("a contract with two versions, and a copy of the first", () => {
  let index: ContractIndex;
  const argv = ["--root", "owner", "--repo", "pipeline=pipeline", "--output", "out.html"];

  beforeAll(async () => {
    const { exitCode, stdout, stderr } = await report(...argv);
    expect([exitCode, stdout]).toEqual([EXIT.ok, ""]);
    expect(stderr).toMatch(/^out\.html: 1 schema, 2 versions, [\d.]+ kB\ncopies: 1 error, /);
    index = unpackIndex(read("out.html"));
  });

  test("it says what made it", () => {
    expect(index.name).toBe("owner contract");
    expect(index.command).toBe(
      "rollout-wire report contract --root owner --repo 'pipeline=pipeline' --output out.html",
    );
  });

  test("the schema, and the hashes of each version", () => {
    const [schema] = index.schemas;
    expect(schema).toMatchObject({
      ...{ name: "note", version: "2.0.0", stability: "stable", owner: "owner" },
      ...{ producers: ["owner"], consumers: ["pipeline"], title: "note/v1" },
      hashes: schemaHashes(read("owner/schema/note.schema.json")),
    });
    expect(schema?.releases).toEqual(
      ["v2", "v1"].map((name) => {
        const file = `schema/released/note/${name}.schema.json`;
        const version = `${name.slice(1)}.0.0`;
        return { version, file, hashes: schemaHashes(read(`owner/${file}`)) };
      }),
    );
  });

  test("record types, their fields and examples; then the parts of records", () => {
    const [note, part] = index.schemas[0]?.types ?? [];
    expect(note).toMatchObject({ name: "Note", isRecord: true, since: "1.0.0", usedBy: [] });
    const link = { schema: "note", name: ODD_NAME };
    expect(
      note?.fields.map(({ path, type, isRequired, since }) => [path, type, isRequired, since]),
    ).toEqual([
      ["text", ["string"], true, "1.0.0"],
      ["by", [link], false, "1.0.0"],
      ["lines", ["integer"], true, "2.0.0"],
    ]);
    expect(note?.examples.map(({ json }) => JSON.parse(json))).toEqual([{ text: ATTACK }]);
    expect(part).toMatchObject({
      ...{ name: ODD_NAME, isRecord: false },
      usedBy: [{ schema: "note", name: "Note" }],
    });
  });

  test("each version with its changes, verdicts and the record that proves them", () => {
    const [second, first] = index.comparisons;
    expect(first).toMatchObject({ id: "note/1.0.0", bump: "new", changes: [], verdicts: [] });
    expect(first?.entry).toContain("The first published version.");
    expect(second).toMatchObject({ id: "note/2.0.0", from: "1.0.0", to: "2.0.0", bump: "major" });
    expect(second?.entry).toMatch(/^- `note` 2\.0\.0: `Note\.lines`/);
    expect(second?.verdicts).toContainEqual({
      ...{ lens: "declared-writer", backward: "breaking", forward: "compatible" },
    });
    const [change] = second?.changes.filter(({ proofs }) => proofs.length > 0) ?? [];
    expect(change).toMatchObject({ subject: "Note /lines", places: { old: expect.any(String) } });
    const [proof] = change?.proofs ?? [];
    expect(proof?.breaks).toEqual(["backward (validate)", "backward (declared-writer)"]);
    expect(proof?.claim).toBe("this Note is valid before and not after:");
    expect(JSON.parse(proof?.witness ?? "")).toEqual({ text: expect.any(String) });
  });

  test("the copies, as drift says it", async () => {
    const drift = ["drift", "--registry", "owner/schema/registry.json"];
    const { stdout } = await folder.run([
      ...[...drift, "--repo", "pipeline=pipeline", "--format", "json"],
    ]);
    const { copies, findings } = JSON.parse(stdout);
    expect(copies).toMatchObject([{ path: "copy.json", version: "2.0.0", is: "1.0.0" }]);
    expect(index.copies).toMatchObject({ copies, findings });
    expect(index.copies?.checked).toContain("1 copy and 0 forks in 1 repository");
  });

  test("nothing of the schema is in the page as it is", () => {
    expect(read("out.html")).not.toContain("alert(");
  });
});

test("the forks, with how many records were replayed on each, or why none", async () => {
  mkdirSync(join(folder.path, "forked"));
  folder.write("forked/note.schema.json", read("pipeline/copy.json"));
  const argv = ["--root", "owner", "--repo", "forked=forked", "--output", "forks.html"];
  expect((await report(...argv)).exitCode).toBe(EXIT.ok);
  const { copies } = unpackIndex<ContractIndex>(read("forks.html"));
  expect(copies?.forks).toEqual([
    {
      ...{ repository: "forked", path: "note.schema.json", type: "note" },
      replay: expect.stringMatching(/^no record replayed on it: /),
    },
  ]);
});

test("a repository that cannot be reached is a finding of the page, and exit 3 as of drift", async () => {
  const argv = ["--root", "owner", "--repo", "pipeline=nowhere", "--output", "far.html"];
  const { exitCode, stderr } = await report(...argv);
  expect([exitCode, stderr]).toEqual([EXIT.unreadable, expect.stringContaining("copies: 1 error")]);
  const { copies } = unpackIndex<ContractIndex>(read("far.html"));
  expect(copies?.findings).toMatchObject([{ id: "unreachable", file: "nowhere" }]);
});

test("a version that is not released yet is compared, and is no release", async () => {
  const registry = "owner/schema/registry.json";
  const released = read(registry);
  const entries = JSON.parse(released);
  entries.schemas[0].released.pop();
  folder.write(registry, JSON.stringify(entries));
  await report("--root", "owner", "--output", "next.html");
  folder.write(registry, released);
  const { schemas, comparisons } = unpackIndex<ContractIndex>(read("next.html"));
  expect(schemas[0]?.releases.map(({ version }) => version)).toEqual(["1.0.0"]);
  expect(comparisons).toMatchObject([
    { id: "note/2.0.0", from: "1.0.0", new: "schema/note.schema.json" },
    { id: "note/1.0.0" },
  ]);
});

test("no password of a repository is in the page", async () => {
  const url = "https://user:hunter2@127.0.0.1:1/x.git";
  const argv = ["--root", "owner", "--repo", `pipeline=${url}`, "--output", "secret.html"];
  const { exitCode, stderr } = await report(...argv);
  expect([exitCode, stderr]).toEqual([EXIT.unreadable, expect.not.stringContaining("hunter2")]);
  const index = unpackIndex<ContractIndex>(read("secret.html"));
  expect(JSON.stringify(index)).toContain("127.0.0.1");
  expect(JSON.stringify(index)).not.toContain("hunter2");
});

test("the output is only written when all is well", async () => {
  writeFileSync(join(folder.path, "old.html"), "old");
  const registry = "owner/schema/registry.json";
  const entries = read(registry);
  folder.write(registry, '{"schemas": [');
  const argv = ["--root", "owner", "--repo", "pipeline", "--output", "old.html"];
  const { exitCode, stderr } = await report(...argv);
  folder.write(registry, entries);
  expect([exitCode, read("old.html")]).toEqual([EXIT.unreadable, "old"]);
  expect(stderr).toContain("registry.json:1:14 ");
});

test("a repository of another name is a finding of the page, and exit 3 as of drift", async () => {
  const argv = ["--root", "owner", "--repo", "other=pipeline", "--output", "other.html"];
  const { exitCode, stderr } = await report(...argv);
  expect([exitCode, stderr]).toEqual([EXIT.unreadable, expect.stringContaining("copies: 1 error")]);
  const { copies } = unpackIndex<ContractIndex>(read("other.html"));
  expect(copies?.findings).toMatchObject([
    {
      ...{ id: "config", file: "pipeline/rollout-wire.config.json", pointer: "/repository" },
      message: "is pipeline, but the repository was named other",
    },
  ]);
});

test.each<[what: string, argv: string[], exitCode: number, message: string]>([
  ["files", ["a.jsonl"], EXIT.usage, "report contract takes no files"],
  ["a pair", ["--pairs", "a.jsonl"], EXIT.usage, "--pairs is an option of a report about rollouts"],
  [
    "a size",
    ["--max-size", "20"],
    EXIT.usage,
    "--max-size is an option of a report about rollouts",
  ],
  [
    "a trainer",
    ["--target", "trl"],
    EXIT.usage,
    "--target is an option of a report about rollouts",
  ],
  [
    "a root without schemas",
    ["--root", "pipeline"],
    EXIT.unreadable,
    "--root pipeline: it has no schema/registry.json",
  ],
])("refused: %s", async (_what, argv, exitCode, message) => {
  const transcript = await report(...argv, "--output", "none.html");
  expect(transcript).toMatchObject({ exitCode, stderr: expect.stringContaining(message) });
});

test("options of the contract are refused beside files", async () => {
  const argv = ["report", "a.jsonl", "--root", "owner", "--output", "none.html"];
  const { exitCode, stderr } = await folder.run(argv);
  expect(exitCode).toBe(EXIT.usage);
  expect(stderr).toBe(
    "--root is an option of report contract; for a file of that name, write ./contract\n",
  );
});
