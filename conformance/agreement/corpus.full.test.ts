import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type EntryTypeName, entryTypes, findErrors, isDefinitionName } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../src/base/json/value.js";
import { packageRoot } from "../../src/base/package.js";
import { copyRepository } from "../../src/base/testing/copy-repository.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import { readRegistry } from "../../src/contract/schemas/registry.js";
import { isWire } from "../../src/contract/schemas/registry-file.js";
import { addCases } from "../fixtures/suite.js";
import { Workspace } from "../workspace.js";
import { createCorpus } from "./corpus.js";
import { readOriginals } from "./originals.js";

const wireTypes = entryTypes.filter(isWire);

describe("createCorpus", async () => {
  const originals = await readOriginals(new Workspace(packageRoot()));
  const size = { withManyChanges: 100, places: 1_000 };
  const corpus = createCorpus(originals, size, 1);

  test.runIf(isNightly)(
    "the same seed gives the same records, as many as requested, and another seed gives others",
    () => {
      const larger = { ...size, withManyChanges: size.withManyChanges + 100 };
      const again = createCorpus(originals, larger, 1);
      expect(again.length).toBe(corpus.length + 100);
      expect(again.slice(0, corpus.length)).toEqual(corpus);
      const other = createCorpus(originals, size, 2);
      expect(other.at(-1)).not.toEqual(corpus.at(-1));
    },
  );

  test("there are no duplicates, and each record is one line of JSON", () => {
    expect(new Set(corpus.map(({ type, text }) => `${type} ${text}`)).size).toBe(corpus.length);
    for (const { text } of corpus) {
      expect(text).not.toMatch(/[\r\n]/);
      JSON.parse(text);
    }
  });

  test("no record is of a tool schema", () => {
    const tools = entryTypes.filter((each) => !isWire(each)).map(({ name }) => name);
    expect(tools).toContain("Lock");
    expect(corpus.filter(({ type }) => tools.some((tool) => tool === type))).toEqual([]);
  });

  test("every type has valid and invalid records, and unchanged fixtures", () => {
    for (const { name } of wireTypes) {
      const ofType = corpus.filter(({ type }) => type === name);
      const valid = ofType.filter(({ text }) => findErrors(name, JSON.parse(text)).length === 0);
      expect([valid.length > 10, ofType.length - valid.length > 10], name).toEqual([true, true]);
      expect(
        ofType.some(({ source }) => source.origin === "this record"),
        name,
      ).toBe(true);
    }
  });

  /** Keywords that constrain a value; `additionalProperties` does so only if it is false. */
  const CONSTRAINING = [
    ...["type", "enum", "const", "required", "pattern", "format"],
    ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
    ...["minLength", "maxLength", "minItems", "maxItems"],
  ];

  // Every fault that the schemas can detect, such as /messages/*/role, by record type.
  function listFaults(): { readonly type: EntryTypeName; readonly fault: string }[] {
    const documents = readRegistry(packageRoot()).schemas.map(({ file }) =>
      JSON.parse(readFileSync(join(packageRoot(), file), "utf8")),
    );
    const definitions = Object.assign({}, ...documents.map(({ $defs }) => $defs));
    const visit = (node: JsonObject, pointer: string): string[] => [
      ...CONSTRAINING.filter((keyword) => node[keyword] !== undefined).map(
        (key) => `${pointer} ${key}`,
      ),
      ...(node.additionalProperties === false ? [`${pointer} additionalProperties`] : []),
      ...(typeof node.$ref === "string"
        ? visit(definitions[node.$ref.split("/").at(-1) ?? ""], pointer)
        : []),
      ...(Array.isArray(node.allOf) ? node.allOf.flatMap((base) => visit(base, pointer)) : []),
      ...Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
        visit(child, `${pointer}/${name}`),
      ),
      ...[node.items, node.additionalProperties].flatMap((child) =>
        isJsonObject(child) ? visit(child, `${pointer}/*`) : [],
      ),
    ];
    return wireTypes.flatMap(({ name }) =>
      visit(definitions[name], "").map((fault) => ({ type: name, fault })),
    );
  }

  test("every constraint of every wire schema is violated by some record, at every place", () => {
    const found = new Set<string>();
    for (const { type, text } of corpus) {
      if (!isDefinitionName(type)) throw new Error(`no definition is called ${type}`);
      for (const { pointer, keyword } of findErrors(type, JSON.parse(text))) {
        found.add(`${type} ${pointer} ${keyword}`);
      }
    }
    const faults = listFaults();
    expect(faults.length).toBeGreaterThan(200);
    const missing = faults.filter(({ type, fault }) => {
      const pattern = new RegExp(`^${type} ${fault.replaceAll("*", "[^/]*")}$`);
      return ![...found].some((each) => pattern.test(each));
    });
    expect(missing).toEqual([]);
  });
});

describe("readOriginals", () => {
  test("texts keep their spelling, and those that are not JSON are counted", async () => {
    const { root, remove } = copyRepository(["schema", "fixtures/suites"]);
    try {
      const before = (await readOriginals(new Workspace(root))).leftOut;
      const spelled = '{"prompt":{},"extra":{"n":1.0}}';
      const value = { name: "spelled", why: "1.0 stays 1.0.", text: spelled };
      const expected = [{ pointer: "", keyword: "json" }];
      const cutOff = { name: "cut", why: "It ends early.", text: '{"prompt":', expect: expected };
      addCases(root, [
        { type: "RolloutTraceStep", kind: "valid", value },
        { type: "RolloutTraceStep", kind: "invalid", value: cutOff },
      ]);
      const { originals, leftOut } = await readOriginals(new Workspace(root));
      expect(leftOut).toBe(before + 1);
      const texts = originals.map(({ text }) => text);
      expect(texts).toContain(spelled);
      expect(texts).not.toContain(cutOff.text);
    } finally {
      remove();
    }
  });
});
