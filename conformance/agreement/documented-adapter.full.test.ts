import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { Workspace } from "../workspace.js";
import { parseAdapterCommand } from "./adapter.js";
import { createOwnAdapters } from "./agreement.js";
import { createCorpus } from "./corpus.js";
import { findDisagreements } from "./disagreements.js";
import { runAdapter } from "./run-adapter.js";

/** The adapter to which docs/schemas.md points. */
const PROGRAM = join(packageRoot(), "examples/adapter/adapter.py");
const program = readFileSync(PROGRAM, "utf8");

test("the documented adapter is complete, agrees, and has fewer than 40 lines", async () => {
  expect(program.split("\n").length).toBeGreaterThan(10);
  expect(program.trimEnd().split("\n").length).toBeLessThan(40);
  const adapter = parseAdapterCommand(`python3 '${PROGRAM}' '${join(packageRoot(), "schema")}'`);
  const [first] = createOwnAdapters(packageRoot());
  // Every eighth record is enough here.
  const corpus = createCorpus(
    new Workspace(packageRoot()),
    { records: 0, withManyChanges: 400 },
    1,
  );
  const records = corpus.records.filter((_, index) => index % 8 === 0);
  expect(records.length).toBeGreaterThan(2_000);
  const [left, right] = await Promise.all(
    [first, adapter].map((each) => runAdapter(each, records)),
  );
  const compared = findDisagreements(adapter.id, records, left ?? [], right ?? []);
  expect(compared).toMatchObject({ disagreements: [], known: 0, verdictsAlone: 0 });
});
