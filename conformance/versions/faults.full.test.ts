import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkVersions } from "./faults.js";
import { type Definitions, SmallRepository } from "./testing/small-repository.js";

const TODAY = "2026-06-15";
const REGISTRY = "schema/registry.json";
const APPROVALS = "schema/approvals.json";

const text = { type: "string" };

/** An open object with these properties. */
const open = (properties: Readonly<Record<string, object>>, required: readonly string[] = []) => ({
  type: "object",
  properties,
  required,
});

let repository: SmallRepository;
beforeEach(() => {
  repository = new SmallRepository();
});
afterEach(() => repository.remove());

function check() {
  return checkVersions(repository.root, repository.registry, TODAY);
}

/** The findings: id, file, pointer and required version. */
function find(): unknown[] {
  return check().findings.map(({ id, file, pointer }) => [id, file, pointer]);
}

const WRONG_VERSION = [["version", REGISTRY, "/schemas/0/version"]];

interface Step {
  readonly change: string;
  readonly before: Definitions;
  readonly after: Definitions;
  readonly fits: readonly string[];
}

const A = { A: open({ a: text }) };
const STEPS: readonly Step[] = [
  {
    change: "words",
    before: A,
    after: { A: { ...A.A, description: "New." } },
    fits: ["1.0.1", "1.1.0", "2.0.0"],
  },
  {
    change: "an optional property of an open object",
    before: A,
    after: { A: open({ a: text, b: text }) },
    fits: ["1.1.0", "2.0.0"],
  },
  {
    change: "a wider property",
    before: A,
    after: { A: open({ a: { type: ["string", "null"] } }) },
    fits: ["1.1.0", "2.0.0"],
  },
  { change: "an additional type", before: A, after: { ...A, B: text }, fits: ["1.1.0", "2.0.0"] },
  {
    change: "a property that becomes required",
    before: A,
    after: { A: open({ a: text }, ["a"]) },
    fits: ["2.0.0"],
  },
  {
    change: "a narrower property and a new one",
    before: A,
    after: { A: open({ a: { const: "x" }, b: text }) },
    fits: ["2.0.0"],
  },
  { change: "a renamed type", before: A, after: { Z: A.A }, fits: ["1.1.0", "2.0.0"] },
  { change: "a removed type", before: { ...A, B: text }, after: A, fits: ["2.0.0"] },
  {
    change: "an undecided change",
    before: A,
    after: { A: { ...A.A, $ref: "https://a.example/elsewhere" } },
    fits: ["2.0.0"],
  },
];
const VERSIONS = ["0.9.0", "1.0.0", "1.0.1", "1.0.2", "1.1.0", "1.1.1", "1.2.0", "2.0.0", "3.0.0"];

test.each(STEPS)("$change requires $fits", ({ before, after, fits }) => {
  repository.publish("1.0.0", before);
  const fitting = VERSIONS.filter((version) => {
    repository.present(version, after);
    return find().length === 0;
  });
  expect(fitting).toEqual(fits);
});

test("the required version is reported with proof and fingerprint", () => {
  repository.publish("1.0.0", A).present("1.1.0", { A: open({ a: text }, ["a"]) });
  const { changes, findings } = check();
  const [first] = changes[0]?.breaks.filter(({ lens }) => lens === "declared-writer") ?? [];
  expect(findings).toMatchObject([
    {
      id: "version",
      file: REGISTRY,
      message: expect.stringContaining(
        "is 1.1.0, but the change since schema/released/thing/v1.schema.json is major: use 2.0.0, undo the change, or approve",
      ),
      detail: [
        "R1 A /a is required now: breaks backward (required-added)",
        `  by declared-writer, fingerprint ${first?.fingerprint}`,
        "  this A is valid before and not after:",
        "  {}",
      ].join("\n"),
    },
  ]);
});

test("all uncovered breaks are listed at once, in every compatibility mode", () => {
  repository.publish("1.0.0", A).present("1.0.1", { A: open({ a: text }, ["a"]) });
  const { changes, findings } = check();
  const fingerprints = changes[0]?.breaks.map(({ fingerprint }) => fingerprint) ?? [];
  expect(fingerprints.length).toBeGreaterThan(1);
  for (const fingerprint of fingerprints) expect(findings[0]?.detail).toContain(fingerprint);
});

test("a change of formatting counts: published bytes are the contract", () => {
  repository.publish("1.0.0", A).present("1.0.0", A);
  repository.write(
    "schema/thing.schema.json",
    JSON.stringify({ ...check().changes[0]?.present.value }),
  );
  expect(find()).toEqual(WRONG_VERSION);
});

test("a raised version without a change", () => {
  repository.publish("1.0.0", A);
  const fitting = VERSIONS.filter((version) => {
    repository.present(version, A, "1.0.0");
    return find().length === 0;
  });
  expect(fitting).toEqual(["1.0.0"]);
});

test("the first version is 1.0.0", () => {
  const fitting = VERSIONS.filter((version) => {
    repository.present(version, A);
    return find().length === 0;
  });
  expect(fitting).toEqual(["1.0.0"]);
});

describe("ids contain the major version", () => {
  const two = { A: open({ a: text, schema_version: { const: "thing/v2" } }, ["a"]) };

  test.each<[what: string, version: string, idOf: string, after: Definitions, found: unknown[]]>([
    ["all of them", "2.0.0", "2.0.0", two, []],
    ["an old id", "2.0.0", "1.0.0", two, [["version-id", REGISTRY, "/schemas/0/id"]]],
    [
      "an old constant",
      "2.0.0",
      "2.0.0",
      { A: open({ a: text, schema_version: { const: "thing/v1" } }, ["a"]) },
      [["version-id", "schema/thing.schema.json", "/$defs/A/properties/schema_version/const"]],
    ],
  ])("%s", (_what, version, idOf, after, found) => {
    repository.publish("1.0.0", A).present(version, after, idOf);
    expect(find()).toEqual(found);
  });
});

describe("approvals", () => {
  const required = { A: open({ a: text }, ["a"]) };
  const approval = { owner: "somebody", reason: "An experiment.", expires: TODAY };

  /** Fingerprints of the current breaks. */
  function fingerprints(): string[] {
    return check().changes.flatMap(({ breaks }) => breaks.map(({ fingerprint }) => fingerprint));
  }

  /** Approves all current breaks, with modifications. */
  function approveAll(changes: Partial<typeof approval> = {}): void {
    repository.approve(
      ...fingerprints().map((fingerprint) => ({ ...approval, ...changes, fingerprint })),
    );
  }

  test("an approved break requires only a patch", () => {
    repository.publish("1.0.0", A).present("1.0.1", required);
    expect(find()).toEqual(WRONG_VERSION);
    approveAll();
    const { approved, findings } = check();
    expect(findings).toEqual([]);
    expect([...approved]).toEqual(fingerprints());
    repository.present("1.0.0", required);
    expect(find()).toEqual(WRONG_VERSION);
  });

  test("an expired approval is invalid, and reported with its owner", () => {
    repository.publish("1.0.0", A).present("1.0.1", required);
    approveAll({ expires: "2026-06-14" });
    const { approved, findings } = check();
    expect([...approved]).toEqual([]);
    expect(findings).toMatchObject([
      { id: "version" },
      { id: "expired-approval", file: APPROVALS, pointer: "/approvals/0/expires", line: 6 },
      { id: "expired-approval", file: APPROVALS, pointer: "/approvals/1/expires" },
    ]);
    expect(findings[1]?.message).toContain("until 2026-06-14: raise the version, or ask somebody");
  });

  test.each<[what: string, version: string, after: Definitions]>([
    ["another fingerprint", "1.0.0", A],
    ["a version that was raised anyway", "2.0.0", required],
  ])("an unneeded approval: %s", (_what, version, after) => {
    repository.publish("1.0.0", A).present("1.0.1", required);
    approveAll();
    repository.present(version, after);
    const [backward] = find();
    expect(backward).toEqual(["unused-approval", APPROVALS, "/approvals/0/fingerprint"]);
    expect([...check().approved]).toEqual([]);
  });

  test("a duplicate approval", () => {
    repository.publish("1.0.0", A).present("1.0.1", required);
    const [fingerprint = "", ...others] = fingerprints();
    const all = [fingerprint, ...others, fingerprint];
    repository.approve(...all.map((each) => ({ ...approval, fingerprint: each })));
    expect(find()).toEqual([["unused-approval", APPROVALS, "/approvals/2/fingerprint"]]);
  });

  test("an invalid file of approvals", () => {
    repository.publish("1.0.0", A).present("1.0.0", A);
    repository.write(APPROVALS, { approvals: [{ fingerprint: "x" }] });
    expect(find()).toContainEqual(["required", APPROVALS, "/approvals/0"]);
  });

  test("an undecided change can be approved too", () => {
    repository
      .publish("1.0.0", A)
      .present("1.0.1", { A: { ...A.A, $ref: "https://a.example/elsewhere" } });
    expect(find()).toEqual(WRONG_VERSION);
    approveAll();
    expect(find()).toEqual([]);
  });
});

describe("older versions of the same major", () => {
  const number = { type: "number" };

  test("breaks of their data count, even if the last version does not mention it", () => {
    // 1.1.0 dropped the property, which breaks no reader of open objects.
    repository.publish("1.0.0", A).publish("1.1.0", { A: open({}) });
    repository.present("1.2.0", { A: open({ a: number }) });
    expect(find()).toEqual(WRONG_VERSION);
    repository.present("1.2.0", { A: open({ b: number }) });
    expect(find()).toEqual([]);
  });

  test("data that the last version already broke, with an approval, does not count again", () => {
    repository.publish("1.0.0", A).publish("1.0.1", { A: open({ a: { const: "x" } }) });
    repository.present("1.0.2", { A: { ...open({ a: { const: "x" } }), description: "New." } });
    expect(find()).toEqual([]);
  });

  test("other major versions do not count", () => {
    repository.publish("1.0.0", A).publish("2.0.0", { A: open({}) });
    repository.present("2.1.0", { A: open({ a: number }) });
    expect(find()).toEqual([]);
  });
});
