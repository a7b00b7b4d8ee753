import fc from "fast-check";
import { expect, test } from "vitest";
import { runCount } from "../../base/testing/run-count.js";
import { validatorOf } from "./ajv/ajv.js";
import { compareVersions } from "./compare-versions.js";
import {
  findNotes,
  type LoadedVersions,
  placeChanges,
  toDiffFinding,
  toDiffFindings,
} from "./findings.js";
import { loadVersion } from "./load-version.js";
import type { SchemaLocation } from "./schema/schema-set.js";
import { arbitraryLayoutPair } from "./testing/arbitrary-layout.js";
import { arbitraryPair } from "./testing/arbitrary-schema.js";
import { type LayoutVersion, layOut } from "./testing/lay-out.js";

function load(document: unknown) {
  const source = { name: "x.json", text: JSON.stringify(document), others: [] };
  return loadVersion(source, "annotate", { toleratesFaults: true });
}

/** A version whose types are all in one document, so that a name has one meaning. */
function loadLayout({ types, layout }: LayoutVersion) {
  const inOneFile = { ...layout, moved: [], hasTwins: false };
  const { files, path, fragment } = layOut({ types, layout: inOneFile });
  const source = { name: path, text: JSON.stringify(files.get(path)), others: [] };
  return loadVersion({ ...source, fragment }, "annotate", { toleratesFaults: true });
}

/** What a reader of the sentence looks up: a definition, or the document if it is called a record. */
function find({ document, root }: LoadedVersions["old"], name: string): SchemaLocation | undefined {
  if (name === "record" || name === "the document") return root;
  const places = [`#/$defs/${name}`, `#/definitions/${name}`];
  return places.map((each) => document.set.tryToResolve(document, each)).find(isLocation);
}

function isLocation(found: SchemaLocation | string | undefined): found is SchemaLocation {
  return typeof found === "object";
}

const SENTENCE =
  /^this (.+?) is valid (before|after)(?: and not (?:before|after)(?:, as (.+))?|; (?:before|after), there is no such type(, and the document rejects it)?):$/;

/** The sentences with a record that are false, or that cannot be read. */
function findLies(versions: LoadedVersions): string[] {
  const { changes } = compareVersions(versions.old.root, versions.new.root);
  const findings = placeChanges(changes, versions).flatMap((each) => [
    ...toDiffFindings(each, versions),
    ...findNotes(each.change).map((found) => toDiffFinding(each, found, versions)),
  ]);
  return findings.flatMap((finding) => {
    if (!("witness" in finding)) return [];
    const [claim = "", printed = ""] = finding.detail?.split("\n") ?? [];
    const [, name = "", side, as = name, rejected] = SENTENCE.exec(claim) ?? [];
    const [writer, reader] =
      side === "before" ? [versions.old, versions.new] : [versions.new, versions.old];
    const isUnnamed = find(writer, name) === undefined || find(reader, as) === undefined;
    // A member of a union that has no name to look up.
    if (finding.rule === "X8" && isUnnamed) return [];
    const record: unknown = JSON.parse(printed);
    const isValid = (at: SchemaLocation | undefined) => at && validatorOf(at).isValid(record);
    const isMissing = claim.includes("there is no such type");
    const read = isMissing ? (rejected === undefined ? undefined : reader.root) : find(reader, as);
    const isTrue =
      isValid(find(writer, name)) === true && isValid(read) === (read ? false : undefined);
    const isNamed = isMissing || read !== undefined;
    const isFirst = name === "record" || [name, as].some((each) => finding.types.includes(each));
    counts[isMissing ? "missing" : "both"] += 1;
    return isTrue && isNamed && isFirst ? [] : [`${claim} ${printed}`];
  });
}

const counts = { both: 0, missing: 0 };

test("a change of a union names no witness of a member", () => {
  const kinds = { Any: { type: "object" }, Poll: { type: "object", required: ["votes"] } };
  const Choice = { type: "object", required: ["pick"] };
  const union = (...names: string[]) => ({
    anyOf: names.map((name) => ({ $ref: `#/$defs/${name}` })),
  });
  const versions = {
    old: load({ $defs: { Answer: union("Any", "Poll"), ...kinds } }),
    new: load({ $defs: { Answer: union("Any", "Poll", "Choice"), ...kinds, Choice } }),
  };
  const { changes } = compareVersions(versions.old.root, versions.new.root);
  const found = placeChanges(changes, versions).flatMap((each) => toDiffFindings(each, versions));
  const shown = found.filter((each) => "witness" in each);
  expect(
    new Set(shown.map(({ rule, types, detail }) => [rule, ...types, detail].join(" "))),
  ).toEqual(
    new Set([
      'F1 Choice this Choice is valid after; before, there is no such type:\n{"pick":null}',
    ]),
  );
});

test("no record proves a break of declared properties that is not valid before", () => {
  const member = (name: string) => ({
    properties: { x: { type: "object", properties: { [name]: { type: "integer" } } } },
  });
  const oneOf = [member("a"), member("b")];
  const document = (x: object) => ({
    ...{ type: "object", required: ["x"], oneOf },
    properties: { x: { type: "object", ...x } },
  });
  const versions = { old: load(document({})), new: load(document({ maxProperties: 0 })) };
  expect(findLies(versions)).toEqual([]);
  expect(compareVersions(versions.old.root, versions.new.root).lenses).toMatchObject({
    validate: { backward: "breaking" },
    "declared-writer": { backward: "compatible" },
  });
});

test("a document has no name, and a reference with further constraints has another", () => {
  const A = { type: "object", title: "A", properties: { a: { type: "string" } }, required: ["a"] };
  const union = (more: object) => ({
    properties: { x: { anyOf: [{ ...more, $ref: "#/$defs/A" }, true] } },
    $defs: { A },
  });
  const changed = { ...A, required: ["a", "b"] };
  const pairs = [
    [A, { anyOf: [{ $ref: "#/$defs/A" }], $defs: { A: changed } }],
    [union({ required: ["c"] }), union({ required: ["d"] })],
  ] as const;
  const details = pairs.flatMap(([before, after]) => {
    const versions = { old: load(before), new: load(after) };
    const { changes } = compareVersions(versions.old.root, versions.new.root);
    return placeChanges(changes, versions).flatMap((each) =>
      [
        ...toDiffFindings(each, versions),
        ...findNotes(each.change).map((found) => toDiffFinding(each, found, versions)),
      ].map(({ detail = "" }) => detail.split("\n")[0]),
    );
  });
  expect(new Set(details.filter((detail) => detail?.startsWith("this")))).toEqual(
    new Set([
      "this record is valid before and not after:",
      "this record is valid before and not after, as A:",
      "this anyOf/0 is valid before and not after:",
      "this anyOf/0 is valid after and not before:",
    ]),
  );
});

test("no printed sentence is false", () => {
  const numRuns = runCount(400, 40);
  const laidOut = fc
    .sample(arbitraryLayoutPair, { seed: 3, numRuns })
    .map(([older, newer]) => ({ old: loadLayout(older), new: loadLayout(newer) }));
  const types = fc
    .sample(arbitraryPair, { seed: 3, numRuns: numRuns / 2 })
    .map(([older, newer]) => ({ old: load(older), new: load(newer) }));
  expect([...laidOut, ...types].flatMap(findLies)).toEqual([]);
  expect(counts.both).toBeGreaterThan(numRuns);
  expect(counts.missing).toBeGreaterThan(numRuns / 20);
});
