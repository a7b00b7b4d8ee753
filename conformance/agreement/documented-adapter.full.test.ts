import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packageRoot } from "../../src/base/package.js";
import { Workspace } from "../workspace.js";
import { parseAdapterCommand } from "./adapter.js";
import { createCorpus } from "./corpus.js";
import { findDisagreements } from "./disagreements.js";
import { openImplementations } from "./implementations.js";
import { readOriginals } from "./originals.js";
import { runAdapter } from "./run-adapter.js";

/** The adapter to which docs/schemas.md points. */
const PROGRAM = join(packageRoot(), "examples/adapter/adapter.py");
const program = readFileSync(PROGRAM, "utf8");

test("the documented adapter is complete, agrees, and has fewer than 40 lines", async () => {
  expect(program.split("\n").length).toBeGreaterThan(10);
  expect(program.trimEnd().split("\n").length).toBeLessThan(40);
  const adapter = parseAdapterCommand(`python3 '${PROGRAM}' '${join(packageRoot(), "schema")}'`);
  const workspace = new Workspace(packageRoot());
  const originals = await readOriginals(workspace);
  const corpus = createCorpus(originals, { withManyChanges: 400, places: 1_000 }, 1);
  // Every eighth record is enough here.
  const records = corpus.filter((_, index) => index % 8 === 0);
  expect(records.length).toBeGreaterThan(2_000);
  const { list, remove } = openImplementations(workspace, originals.linked, []);
  const [left, right] = await Promise.all([list[0]?.judge(records), runAdapter(adapter, records)]);
  remove();
  const compared = findDisagreements(adapter.id, records, left ?? [], right);
  expect(compared).toMatchObject({ disagreements: [], known: 0, verdictsAlone: 0 });
});
