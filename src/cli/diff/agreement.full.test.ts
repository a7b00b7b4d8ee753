import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type DiffReport, isRangeDiffReport, type RangeDiffReport } from "#generated/index.js";
import { packageRoot } from "../../base/package.js";
import { isNightly, sampleCases } from "../../base/testing/run-count.js";
import { createGitRepository } from "../../contract/compat/versions/testing/git-repository.js";
import type { ContractIndex } from "../../contract/pages/contract-data.js";
import { unpackIndex } from "../../rollouts/look/report/testing/unpack-page.js";

/** Two versions of a schema. */
interface Pair {
  readonly old: unknown;
  readonly new: unknown;
}

const FIXTURES = ["changes", "pairs", "more-pairs", "layout-pairs"];
const pairs = FIXTURES.flatMap((name): readonly Pair[] =>
  JSON.parse(readFileSync(join(packageRoot(), `fixtures/compat/${name}.json`), "utf8")),
);

/** Enough for all fixtures, at night. */
const TIMEOUT = isNightly ? 3_600_000 : 120_000;

/** Changes to the texts of pairs that have no fixture: formatting, wording, identity. */
const A = { type: "object", properties: { a: { type: "string" } } };
const further: readonly Pair[] = [
  { old: A, new: { properties: A.properties, type: "object" } },
  { old: A, new: { ...A, description: "Now described." } },
  { old: { $id: "https://x.example/a/v1", ...A }, new: { $id: "https://x.example/a/v2", ...A } },
  { old: { ...A, $defs: { unused: true } }, new: { ...A, $defs: { unused: { type: "string" } } } },
  { old: { ...A, $defs: { unused: true } }, new: A },
  { old: A, new: { ...A, additionalProperties: false } },
  { old: false, new: undefined },
  { old: A, new: undefined },
  { old: undefined, new: A },
];

const repository = createGitRepository();
afterAll(() => repository.remove());

type Ranged = RangeDiffReport & { readonly exitCode: number };
let whole: Ranged;

beforeAll(async () => {
  const sampled = [...sampleCases(pairs, 10), ...further];
  const filesOf = (side: "old" | "new"): object => {
    const files = sampled.flatMap((pair, index) => {
      const isNamed = JSON.stringify(pair.new)?.includes('"https://x.example/a/v2"') === true;
      const number = isNamed ? "named" : String(index).padStart(3, "0");
      // Once as its own change, and once as a change of what another schema refers to.
      return [
        [`own/${number}.schema.json`, pair[side]],
        [`far/${number}/target.json`, pair[side]],
        [`near/${number}.schema.json`, { $ref: `../far/${number}/target.json` }],
      ];
    });
    return Object.fromEntries(files);
  };
  repository.commit(dropMissing({ ...filesOf("old") }));
  repository.commit({ ...filesOf("new") });
  whole = await readReport();
}, TIMEOUT);

/** Without the files that the first commit lacks. */
function dropMissing(files: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(files).filter(([, value]) => value !== undefined));
}

const FOLDERS = ["own/", "near/"];
const LENSES = ["--lens", "validate", "--direction", "backward", "forward"];

const diff = (format: string, ...args: string[]) =>
  repository.run(["diff", "HEAD~1..HEAD", ...FOLDERS, ...args, "--format", format]);

async function readReport(...args: string[]): Promise<Ranged> {
  const { stdout, exitCode } = await diff("json", ...args);
  const report: unknown = JSON.parse(stdout);
  if (!isRangeDiffReport(report)) throw new Error("no report of a range");
  return { ...report, exitCode };
}

/** What a report says about a schema that contradicts itself. */
function contradictionsOf({ new: name, bump, status, lenses, changes }: DiffReport): string[] {
  const broken = lenses.filter(({ backward, forward }) =>
    [backward, forward].some((verdict) => verdict !== "compatible"),
  );
  const declared = lenses.find(({ lens }) => lens === "declared-writer");
  const isRequired = declared?.backward !== "compatible";
  return [
    ...(broken.length > 0 && ["none", "patch"].includes(bump)
      ? [`${name}: a break is ${bump}`]
      : []),
    ...(bump === "none" && changes.length > 0 ? [`${name}: a change is none`] : []),
    ...(isRequired && bump !== "major" ? [`${name}: broken records are ${bump}`] : []),
    ...(status === "removed" && bump !== "major" ? [`${name}: its removal is ${bump}`] : []),
  ];
}

test(
  "no output of diff contradicts itself or another",
  async () => {
    const { schemas, not_compared, exitCode } = whole;
    expect(schemas.length).toBeGreaterThan(25);
    expect(schemas.filter(({ through }) => through !== undefined).length).toBeGreaterThan(10);
    expect(schemas.flatMap(contradictionsOf)).toEqual([]);

    const text = await diff("text");
    const sections = text.stdout.split(/^(?=\S+ {2}\((?:added|changed|removed|not compared))/m);
    const told = sections.map((section) => [
      /^\S+/.exec(section)?.[0],
      /^bump: (\w+)/m.exec(section)?.[1],
    ]);
    expect(told).toEqual([
      ...schemas.map(({ new: name, bump }) => [name, bump]),
      ...not_compared.map(({ file }) => [file, undefined]),
    ]);

    const markdown = await diff("markdown");
    const rows = [...markdown.stdout.matchAll(/^\| `(\S+)` .*\| (\w+) +\|$/gm)];
    expect(rows.map(([, name, bump]) => [name, bump])).toEqual(
      schemas.map(({ new: name, bump }) => [name, bump]),
    );

    const html = await diff("html");
    const { comparisons } = unpackIndex<ContractIndex>(html.stdout);
    expect(comparisons.map(({ new: name, bump }) => [name, bump])).toEqual([
      ...schemas.map(({ new: name, bump }) => [name, bump]),
      ...not_compared.map(({ file }) => [file, "not compared"]),
    ]);

    const changelog = await diff("changelog");
    const entries = [...changelog.stdout.matchAll(/^- `(\S+)` \((\w+)\):/gm)];
    const changed = schemas.filter(({ bump }) => bump !== "none");
    // A schema with an `$id` has its name from there.
    const nameOf = (file: string): string => file.replace(/^.*\/|\.schema\.json$/g, "");
    expect(entries.map(([, name, bump]) => [name === "a" ? "named" : name, bump])).toEqual(
      changed.map(({ new: name, bump }) => [nameOf(name), bump]),
    );

    for (const each of [text, markdown, html, changelog]) expect(each.exitCode).toBe(exitCode);
  },
  TIMEOUT,
);

test(
  "a change is in the changelog by a name, or as one of the schema itself",
  async () => {
    const { schemas } = whole;
    const { stdout } = await diff("changelog");
    const entries = stdout.split(/^(?=- )/m).filter((entry) => entry !== "");
    const changed = schemas.filter(({ bump }) => bump !== "none");
    expect(entries.length).toBe(changed.length);
    const unnamed = changed.filter(({ changes, status }, index) => {
      const isWording = changes.every(({ rule }) => rule.startsWith("M"));
      const isTold = !/: wording\. /.test(entries[index] ?? "");
      return status === "changed" && !isWording && !isTold;
    });
    expect(unnamed.map(({ new: name }) => name)).toEqual([]);
    for (const { findings, lenses } of schemas) {
      const breaks = findings.filter(({ verdict }) => verdict !== "compatible");
      const verdicts = new Set(breaks.map(({ lens, direction }) => `${lens} ${direction}`));
      for (const { lens, backward, forward } of lenses) {
        const broken = { backward, forward };
        for (const direction of ["backward", "forward"] as const) {
          const isExplained = verdicts.has(`${lens} ${direction}`);
          expect(isExplained).toBe(broken[direction] !== "compatible");
        }
      }
    }
  },
  TIMEOUT,
);

/** What text and exit code say of a report in which `directions` decide. */
function contradictedBy(report: Ranged, lens: string, directions: readonly string[]): string[] {
  const byExitCode = { 0: "compatible", 1: "breaking", 3: "undecided", 4: "undecided" };
  const said = Object.entries(byExitCode).find(([code]) => Number(code) === report.exitCode)?.[1];
  const faults = report.schemas.flatMap(({ new: name, verdict, lenses, ...report }) => {
    const chosen = lenses.find((each) => each.lens === lens);
    const sides = (["backward", "forward"] as const).filter(
      (side) => report[side].verdict !== chosen?.[side],
    );
    const decisive = (["backward", "forward"] as const).filter((each) => directions.includes(each));
    const worst = ["breaking", "undecided", "compatible"].find((each) =>
      decisive.some((side) => chosen?.[side] === each),
    );
    return [...sides, ...(verdict === worst ? [] : [verdict])].map((each) => `${name}: ${each}`);
  });
  return report.verdict === said ? faults : [...faults, `the range: ${report.verdict}`];
}

test(
  "the verdicts of the JSON report are those of the lens and the directions that were asked for",
  async () => {
    expect(contradictedBy(whole, "declared-writer", ["backward"])).toEqual([]);
    const added = await diff("json", "--lens", "validate", "--direction", "forward");
    const report: unknown = JSON.parse(added.stdout);
    if (!isRangeDiffReport(report)) throw new Error("no report of a range");
    const ranged = { ...report, exitCode: added.exitCode };
    expect(contradictedBy(ranged, "validate", ["forward"])).toEqual([]);
    const [one, other] = [whole, ranged].map(({ schemas }) =>
      schemas.map(({ backward, forward }) => [backward.verdict, forward.verdict]),
    );
    expect(one).not.toEqual(other);
  },
  TIMEOUT,
);

test(
  "every lens and direction has the exit code and the annotations of its verdict",
  async () => {
    const { schemas, not_compared, exitCode } = await readReport(...LENSES);
    const github = await diff("github", ...LENSES, "--max-errors", "100000");
    expect(github.exitCode).toBe(exitCode);
    for (const { new: file, findings } of schemas) {
      const errors = findings.filter(({ severity }) => severity === "error").length;
      const printed = github.stdout.split(`::error file=${file},`).length - 1;
      expect([file, printed]).toEqual([file, errors]);
    }
    for (const { file } of not_compared) {
      expect(github.stdout).toContain(`::error file=${file},line=1,col=1,title=not-compared::`);
    }
  },
  TIMEOUT,
);
