import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTempFolder } from "../../src/base/files/temp.js";
import { packageRoot } from "../../src/base/package.js";
import { parseAdapterCommand } from "./adapter.js";
import { createOwnAdapters } from "./agreement.js";
import { createCorpus } from "./corpus.js";
import { findDisagreements } from "./disagreements.js";
import { runAdapter } from "./run-adapter.js";

const page = readFileSync(join(packageRoot(), "docs/adapters.md"), "utf8");
const [, program = ""] = /```python\n(.*?)```/s.exec(page) ?? [];

test("the adapter in docs/adapters.md is complete, agrees, and has fewer than 40 lines", async () => {
  expect(program.split("\n").length).toBeGreaterThan(10);
  expect(program.trimEnd().split("\n").length).toBeLessThan(40);
  const folder = createTempFolder();
  try {
    const file = join(folder.path, "adapter.py");
    writeFileSync(file, program);
    const adapter = parseAdapterCommand(`python3 '${file}' '${join(packageRoot(), "schema")}'`);
    const [first] = createOwnAdapters(packageRoot());
    // Every eighth record is enough here.
    const corpus = createCorpus(packageRoot(), { records: 0, withManyChanges: 400 }, 1);
    const records = corpus.records.filter((_, index) => index % 8 === 0);
    expect(records.length).toBeGreaterThan(2_000);
    const [left, right] = await Promise.all(
      [first, adapter].map((each) => runAdapter(each, records)),
    );
    const compared = findDisagreements(adapter.id, records, left ?? [], right ?? []);
    expect(compared).toMatchObject({ disagreements: [], known: 0, verdictsAlone: 0 });
  } finally {
    folder.remove();
  }
});
