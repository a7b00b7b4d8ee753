import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { useSmallRepository } from "../testing/use-small-repository.js";
import { upcasterHolds } from "./upcaster-holds.js";

const prepared = useSmallRepository(upcasterHolds);

const PROGRAM = "schema/upcasters/thing-v1-v2.ts";
const BEFORE = { A: { type: "object", properties: { a: { type: "string" } } } };
const AFTER = { A: { type: "object", properties: { a: { type: "string" } }, required: ["a"] } };

const SUITE = "fixtures/suites/A.json";
const GOLDEN = "fixtures/golden/run/input.jsonl";

function git(...args: readonly string[]): void {
  const user = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  execFileSync("git", [...user, ...args], { cwd: prepared.repository.root });
}

/** One valid fixture, the base of its suite, and an invalid one that is not a record of the format. */
function suiteOf(base: object): object {
  const expected = [{ pointer: "", keyword: "type" }];
  const invalid = [{ name: "no-object", why: "A number.", record: 7, expect: expected }];
  return { type: "A", base, valid: [{ name: "smallest", why: "The smallest." }], invalid };
}

/** A repository whose records have changed with the schema, so that only git has the old ones. */
function prepare(program?: string): void {
  const { repository } = prepared;
  repository.publish("1.0.0", BEFORE).present("1.0.0", BEFORE);
  repository.write(SUITE, suiteOf({}));
  repository.write(GOLDEN, '{"a": "x"}\n{}\n7\n');
  git("init", "--quiet");
  git("add", "--all");
  git("commit", "--quiet", "--message", "before");
  repository.present("2.0.0", AFTER);
  repository.write(SUITE, suiteOf({ a: "" }));
  repository.write(GOLDEN, '{"a": "x"}\n{"a": "y"}\n');
  git("commit", "--all", "--quiet", "--message", "after");
  if (program !== undefined) repository.write(PROGRAM, program);
}

/** The findings: file and line without the commit, pointer, message. */
async function find(): Promise<unknown[]> {
  return (await prepared.find()).map(({ file, line, pointer, message }) => {
    return [`${file.replace(/^[0-9a-f]{7,}:/, "<commit>:")}:${line}`, pointer, message];
  });
}

test("all old records are valid after the upgrade", async () => {
  prepare('export const upcast = (record: object): object => ({ a: "", ...record });\n');
  expect(await find()).toEqual([]);
  const { shown } = await upcasterHolds.check(prepared.repository.root, prepared.release());
  expect(shown).toMatch(
    /^schema\/upcasters\/thing-v1-v2\.ts: 3 records of [0-9a-f]+ upgraded, 3 valid under 2\.0\.0$/,
  );
});

test("invalid ones, with their old position", async () => {
  prepare("export const upcast = (record: object): object => record;\n");
  const message = 'upgraded, it is not valid as A: lacks "a"';
  expect(await find()).toEqual([
    [`<commit>:${GOLDEN}:2`, "", message],
    [`<commit>:${SUITE}:5`, "", message],
  ]);
});

test("a function that modifies its argument affects no other record, and one that throws is reported", async () => {
  prepare(`export function upcast(record: { a?: string }): object {
  if (record.a === undefined) throw new Error("no a");
  return record;
}\n`);
  expect(await find()).toMatchObject([
    [`<commit>:${GOLDEN}:2`, "", "cannot be upgraded: no a"],
    [`<commit>:${SUITE}:5`, "", "cannot be upgraded: no a"],
  ]);
});

test.each([
  ["no function", "export const upcast = 1;\n", "exports no function upcast(record)"],
  ["no program", "export const upcast = ;\n", "cannot be loaded: "],
])("%s", async (_what, program, message) => {
  prepare(program);
  expect(await find()).toEqual([[`${PROGRAM}:1`, "", expect.stringContaining(message)]]);
});

test("no commit with the published schema, as in a shallow clone", async () => {
  prepare("export const upcast = (record: object): object => record;\n");
  prepared.repository.publish("1.1.0", { A: { ...BEFORE.A, description: "Never committed." } });
  prepared.repository.present("2.0.0", AFTER);
  expect(await find()).toEqual([
    [
      `${PROGRAM}:1`,
      "",
      expect.stringMatching(/^cannot be tested: no commit .*git fetch --unshallow/),
    ],
  ]);
});

test("no records of the old version: nothing was tried", async () => {
  prepare("export const upcast = (record: object): object => record;\n");
  git("reset", "--quiet", "--hard", "HEAD^");
  git("rm", "-r", "--quiet", "fixtures");
  git("commit", "--amend", "--quiet", "--message", "before");
  prepared.repository.present("2.0.0", AFTER);
  prepared.repository.write(PROGRAM, "export const upcast = (record: object): object => record;\n");
  expect(await find()).toEqual([
    [`${PROGRAM}:1`, "", expect.stringMatching(/^cannot be tested: none /)],
  ]);
});

test("an upcaster is optional, but its lack is said", async () => {
  prepare();
  expect(await find()).toEqual([]);
  const { shown } = await upcasterHolds.check(prepared.repository.root, prepared.release());
  expect(shown).toMatch(/^schema\/upcasters\/thing-v1-v2\.ts: there is none, .*upcaster:new/);
});
