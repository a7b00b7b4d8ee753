import { expect, test } from "vitest";
import { useSmallRepository } from "../testing/use-small-repository.js";
import { migrationNote } from "./migration-note.js";

const prepared = useSmallRepository(migrationNote);

const FILE = "docs/migrations/thing-v2.md";
const text = { type: "string" };
const longer = { ...text, minLength: 1 };

async function find(): Promise<unknown[]> {
  return (await prepared.find()).map(({ file, message }) => `${file} ${message}`);
}

test("a page that names every type that breaks", async () => {
  const { repository } = prepared;
  repository.publish("1.0.0", { A: text, B: text, C: text });
  repository.present("2.0.0", { A: longer, B: longer, C: text });
  const missing = `${FILE} is missing: say how records and readers of thing move to 2.0.0, naming \`A\`, \`B\``;
  expect(await find()).toEqual([missing]);
  repository.write(FILE, "\n");
  expect(await find()).toEqual([missing]);
  repository.write(FILE, "# thing/v2\n\nAn `A` is never empty.\n");
  expect(await find()).toEqual([
    `${FILE} does not name \`B\`, whose records break: say how they move`,
  ]);
  repository.write(FILE, "Neither `A` nor `B` is empty.\n");
  expect(await find()).toEqual([]);
});

test.each([
  ["a minor version", "1.1.0", { A: { type: ["string", "null"] } }],
  ["a first one", "1.0.0", { A: text }],
])("no page is required for %s", async (_what, version, after) => {
  if (version !== "1.0.0") prepared.repository.publish("1.0.0", { A: text });
  prepared.repository.present(version, after);
  expect(await find()).toEqual([]);
});
