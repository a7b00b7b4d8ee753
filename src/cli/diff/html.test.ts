import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { createTestFolder } from "../../base/testing/run-in-folder.js";
import { EXIT } from "../../base/user-error.js";
import type { ContractIndex } from "../../contract/pages/contract-data.js";
import { unpackIndex } from "../../rollouts/look/report/testing/unpack-page.js";
import { writeRepository } from "../contract/testing/write-repository.js";

const folder = createTestFolder();
afterAll(() => folder.remove());
writeRepository(folder.path);

test("a page has all modes and proofs, whatever was chosen, and the exit code is the same", async () => {
  const [older, newer] = ["v1", "v2"].map(
    (name) => `owner/schema/released/note/${name}.schema.json`,
  );
  const argv = ["diff", `${older}`, `${newer}`, "--lens", "python"];
  const { exitCode, stdout, stderr } = await folder.run([...argv, "--format", "html"]);
  expect([exitCode, stderr]).toEqual([EXIT.findings, "bump: major\n"]);
  const { name, command, schemas, comparisons, copies } = unpackIndex<ContractIndex>(stdout);
  expect([name, schemas, copies]).toEqual(["rollout-wire diff", [], undefined]);
  expect(command).toBe(`rollout-wire diff ${older} ${newer} --lens python --format html`);
  expect(comparisons).toMatchObject([
    { id: "1", schema: "note", old: older, new: newer, status: "changed" },
  ]);
  const breaks = comparisons[0]?.changes.flatMap(({ proofs }) =>
    proofs.flatMap((proof) => proof.breaks),
  );
  expect(breaks).toEqual(
    expect.arrayContaining(["backward (validate)", "backward (declared-writer)", "python"]),
  );
});

test("versions of this package have their numbers, and the entry of the changelog", async () => {
  const versions = ["released:rollout-wire/v1.0.1", "released:rollout-wire/v1.1.0"];
  const { stdout } = await folder.run(["diff", ...versions, "--format", "html"]);
  const { comparisons } = unpackIndex<ContractIndex>(stdout);
  expect(comparisons).toMatchObject([{ schema: "rollout-wire", from: "1.0.1", to: "1.1.0" }]);
  const { stdout: entry } = await folder.run(["diff", ...versions, "--format", "changelog"]);
  expect(comparisons[0]?.entry).toBe(entry);
});

test("a range of commits: added, changed and removed schemas", async () => {
  const cwd = join(folder.path, "git");
  mkdirSync(cwd);
  const git = (...argv: string[]) =>
    execFileSync("git", ["-c", "user.name=n", "-c", "user.email=e@x.example", ...argv], { cwd });
  const write = (name: string, type: string): void =>
    writeFileSync(join(cwd, `${name}.schema.json`), JSON.stringify({ type }));
  git("init", "--quiet");
  write("changed", "number");
  write("removed", "boolean");
  git("add", ".");
  git("commit", "--quiet", "-m", "one");
  write("changed", "integer");
  write("added", "array");
  git("rm", "--quiet", "removed.schema.json");
  git("add", ".");
  git("commit", "--quiet", "-m", "two");
  const argv = ["diff", "HEAD~1..HEAD", "--format", "html"];
  const { exitCode, stdout } = await folder.run(argv, { cwd });
  expect(exitCode).toBe(EXIT.findings);
  const { comparisons } = unpackIndex<ContractIndex>(stdout);
  expect(comparisons.map(({ id, new: file, status }) => [id, file, status])).toEqual([
    ["1", "added.schema.json", "added"],
    ["2", "changed.schema.json", "changed"],
    ["3", "removed.schema.json", "removed"],
  ]);
});
