import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyRepository, type RepositoryCopy } from "../../src/base/testing/copy-repository.js";
import { Workspace } from "../workspace.js";
import { agreement } from "./agreement.js";

let copy: RepositoryCopy;

beforeAll(() => {
  copy = copyRepository([
    ...["conformance", "fixtures", "generated", "integrations/python", "package.json"],
    ...["requirements-dev.txt", "rollout-wire.config.json", "schema", "src"],
  ]);
});

afterAll(() => copy.remove());

test("a Python package that lacks one check is detected, with the smallest record", async () => {
  const file = join(copy.root, "generated/python/rollout_wire/rollout_wire.py");
  const strict = readFileSync(file, "utf8");
  const lenient = strict.replaceAll("_rank < 1", "_rank < 0");
  expect(lenient).not.toBe(strict);
  writeFileSync(file, lenient);
  const { findings } = await agreement.run(new Workspace(copy.root));
  const [finding, ...others] = findings;
  expect(finding?.pointer).toBe("/rank");
  expect(others).toEqual([]);
  expect(finding).toMatchObject({
    id: "agreement",
    // The fixture, or a smaller mutation of another one.
    file: "fixtures/suites/RolloutBranchRecord.json",
    message: expect.stringMatching(
      /^python and typescript differ on (a mutation of )?this record, as RolloutBranchRecord \(minimum\)/,
    ),
  });
  const place = readFileSync(join(copy.root, finding?.file ?? ""), "utf8")
    .split("\n")
    .at((finding?.line ?? 0) - 1)
    ?.slice((finding?.column ?? 0) - 9);
  expect(place).toMatch(/^["/]rank": \d/);
  const [left, right, request] = finding?.detail?.split("\n") ?? [];
  expect([left, right]).toEqual([
    "typescript: invalid: /rank minimum",
    "python: invalid: /rank contradiction",
  ]);
  expect(JSON.parse(request ?? "")).toMatchObject({
    type: "RolloutBranchRecord",
    record: { rank: 0 },
  });
});
