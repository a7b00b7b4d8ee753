import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { readRegistry } from "./registry.js";
import { isIdOf, listReferableTexts, parseSchemaId } from "./schema-id.js";
import { parseVersion } from "./version.js";

const root = packageRoot();
const { schemas, artefacts } = readRegistry(root);

describe("the version at the end of an $id", () => {
  test.each([
    ["urn:rollout-wire:training-record:v1", "urn:rollout-wire:training-record", "training-record"],
    ["https://x.example/schemas/order/v12", "https://x.example/schemas/order", "order"],
    ["order/v2", "order", "order"],
  ])("%s", (id, base, name) => {
    expect(parseSchemaId(id)).toEqual({ base, name, major: Number(/\d+$/.exec(id)?.[0]) });
  });

  test.each(["https://x.example/order.json", "urn:x:order", "https://x.example/v", 7, undefined])(
    "none: %s",
    (id) => expect(parseSchemaId(id)).toBeUndefined(),
  );
});

describe("the ids of our own schemas", () => {
  /** The host of another registry, whose gates are red on every other schema that claims it. */
  const FOREIGN = "wasmagent.dev";

  test.each(schemas)("$name claims no id of another registry", ({ id, name, version, file }) => {
    expect(id).toBe(`urn:rollout-wire:${name}:v${parseVersion(version).major}`);
    expect(readFileSync(join(root, file), "utf8")).not.toContain(FOREIGN);
  });

  test("nor does the registry outside of aliases, nor a generated file", () => {
    const entries = schemas.map(({ aliases: _, ...entry }) => entry);
    expect(JSON.stringify({ entries, artefacts })).not.toContain(FOREIGN);
    const generated = join(root, "generated");
    const files = readdirSync(generated, { recursive: true, encoding: "utf8" })
      .map((path) => join(generated, path))
      .filter((path) => statSync(path).isFile());
    expect(files.length).toBeGreaterThan(50);
    const claiming = files.filter((path) => readFileSync(path, "utf8").includes(FOREIGN));
    expect(claiming).toEqual([]);
  });

  test("what a schema was published as is its $id or an alias", () => {
    const published = schemas.flatMap((entry) =>
      entry.released.map((file) => {
        const { $id } = JSON.parse(readFileSync(join(root, file), "utf8"));
        return { entry, id: parseSchemaId($id) };
      }),
    );
    expect(published.length).toBeGreaterThan(3);
    for (const { entry, id } of published) expect(id && isIdOf(entry, id)).toBe(true);
  });
});

describe("the texts to which another schema may refer", () => {
  const texts: Readonly<Record<string, string>> = {
    now: '{"$id":"urn:x:order:v2","title":"now"}',
    old: '{"$id":"https://x.example/order/v1"}',
    older: '{"$id":"https://x.example/order/v1","title":"older"}',
  };
  const list = (...aliases: string[]) => {
    const entry = { id: "urn:x:order:v2", file: "now", released: ["older", "old"], aliases };
    return listReferableTexts([entry], (file) => texts[file] ?? "");
  };

  test("the current one with its aliases, then the published ones, the newest first", () => {
    const aliases = ["https://x.example/order/v2", "urn:y:order:v2"];
    expect(list(...aliases)).toEqual([
      { text: texts.now, aliases, isListed: true },
      { text: texts.old, aliases: [], isListed: true },
      { text: texts.older, aliases: [], isListed: true },
    ]);
  });

  test("an alias of another major version leads to what was published as that", () => {
    expect(list("https://x.example/order/v1")[0]?.aliases).toEqual([]);
  });
});
