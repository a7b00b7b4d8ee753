import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { isShownAs, readSteps, userPath } from "../conformance/package/testing/follow-page.js";
import { readCodeBlocks } from "../conformance/package/testing/read-command-lines.js";
import { toJsonl } from "../src/base/json/print.js";
import { createTestFolder } from "../src/base/testing/run-in-folder.js";
import { createBranch } from "../src/rollouts/wire/export/testing/create-branch.js";
import { REPO_ROOT } from "./run-script.js";
import { listPages } from "./testing/list-pages.js";

const folder = createTestFolder();
afterAll(() => folder.remove());

/** The blocks without a language in the documentation, each as its page and text. */
const BLOCKS = listPages().flatMap((page) =>
  readCodeBlocks(readFileSync(join(REPO_ROOT, page), "utf8"), "").map((text) => ({ page, text })),
);

const covered = new Set<string>();

/** The block of a page that starts with a text. */
function shown(page: string, beginning: string): string {
  const found = BLOCKS.find((block) => block.page === page && block.text.startsWith(beginning));
  if (found === undefined) throw new Error(`${page} has no block that starts with: ${beginning}`);
  covered.add(found.text);
  return found.text;
}

async function print(...argv: string[]): Promise<string> {
  const { stdout, stderr } = await folder.run(argv);
  return stdout === "" ? stderr : stdout;
}

/** Positions depend on the fields of the records. */
function withoutPlaces(text: string): string {
  return text.replaceAll(/:\d+:\d+ +/g, ":0:0  ");
}

/** The version of a schema that this program knows may be a later one. */
function withoutVersions(text: string): string {
  return text.replaceAll(/the rollout-wire\/v\d+ of/g, "the version of");
}

test("docs/validate.md: a JSON document", async () => {
  const records = [createBranch(), { ...createBranch({ branch_index: 1 }), rank: "first" }];
  folder.write("runs.json", JSON.stringify(records, null, 2));
  expect(withoutPlaces(await print("validate", "runs.json"))).toBe(
    withoutPlaces(shown("docs/validate.md", "runs.json:")),
  );
});

test("docs/validate.md: records of unknown types", async () => {
  const pair = { prompt: "a", chosen: "b", rejected: "c" };
  folder.write(
    "foreign.jsonl",
    toJsonl([
      pair,
      { ...pair, schema_version: "rollout-wire/v3" },
      { question: "a" },
      { prompt: "a", completion: "b" },
    ]),
  );
  expect(withoutVersions(await print("validate", "foreign.jsonl"))).toBe(
    withoutVersions(shown("docs/validate.md", "foreign.jsonl:")),
  );
});

test("docs/validate.md: one cause in many lines", async () => {
  const { objective_score, rank, total_score, ...captured } = createBranch();
  folder.write(
    "captured.jsonl",
    toJsonl(Array.from({ length: 200 }, (_, index) => ({ ...captured, rollout_id: `r-${index}` }))),
  );
  const printed = await print("validate", "--type", "RolloutBranchRecord", "captured.jsonl");
  expect(printed).toBe(shown("docs/validate.md", "captured.jsonl:"));
});

test("docs/validate.md: a schema of your own", async () => {
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: {
      Event: {
        type: "object",
        properties: { kind: { enum: ["start", "stop"] }, at: { type: "number", minimum: 0 } },
      },
    },
  };
  folder.write("event.schema.json", JSON.stringify(schema));
  folder.write("events.jsonl", '{"kind": "start", "at": 0}\n{"kind": "pause", "at": -1}\n');
  expect(
    await print("validate", "--schema", "event.schema.json#/$defs/Event", "events.jsonl"),
  ).toBe(shown("docs/validate.md", "events.jsonl:"));
});

test("docs/export.md: the steps from a log to training data", async () => {
  const log = readFileSync(join(REPO_ROOT, "fixtures/import/messages/openhands.jsonl"));
  folder.write("rows.jsonl", log);
  const printed = await print("export", "rows.jsonl", "--target", "trl", "--allow-missing-g3");
  const steps = shown("docs/export.md", "  recognised");
  expect(printed.startsWith(steps)).toBe(true);
  expect(printed.slice(steps.length)).toMatch(/^ {2}validate /);
});

test("docs/redaction.md: where a secret is", async () => {
  const call = (index: number) => ({
    event: "tool_call" as const,
    data: {
      callId: `c${index}`,
      toolName: "mail",
      args: { to: index === 3 ? "bob@example.com" : "" },
    },
  });
  const secret = createBranch({ tool_call_sequence: [0, 1, 2, 3].map(call) });
  const clean = Array.from({ length: 11 }, () => createBranch());
  folder.write("rollouts.jsonl", toJsonl([...clean, secret]));
  expect(withoutPlaces(await print("redact", "rollouts.jsonl", "--check"))).toBe(
    withoutPlaces(shown("docs/redaction.md", "rollouts.jsonl:")),
  );
});

test("docs/compatibility.md: an entry of the changelog", async () => {
  const block = shown("docs/compatibility.md", "$ rollout-wire diff released:rollout-wire/v1.0.1");
  const [command = "", ...lines] = block.split("\n");
  expect(await print(...command.split(" ").slice(2))).toBe(lines.join("\n"));
});

test("docs/show.md: a rollout, and sums", async () => {
  const event = { callId: "1", toolName: "look" };
  const tool_call_sequence = [
    { event: "tool_call" as const, data: { ...event, args: { at: "door" } } },
    { event: "tool_result" as const, data: { ...event, output: { state: "shut" } } },
  ];
  const best = createBranch({
    rollout_id: "door-7",
    task: "Is the door open?",
    tool_call_sequence,
    final_answer: "No, it is shut.",
  });
  const worst = {
    ...best,
    ...{ branch_index: 1, rank: 2, objective_score: 0 as const, total_score: 0.15 },
    final_answer: "Yes.",
  };
  const again = [best, worst].map((branch) => ({ ...branch, rollout_id: "door-8" }));
  const alone = { ...best, rollout_id: "door-9" };
  folder.write("rollouts.jsonl", toJsonl([best, worst, ...again, alone]));
  for (const beginning of ["$ rollout-wire show rollouts", "$ rollout-wire show --summary"]) {
    const [command = "", ...lines] = shown("docs/show.md", beginning).split("\n");
    const printed = await print(...command.split(" ").slice(2));
    const cut = lines.indexOf("...");
    const expected = cut < 0 ? lines : lines.slice(0, cut);
    expect(printed.split("\n").slice(0, expected.length)).toEqual(expected);
  }
});

test("docs/schemas.md: from a schema to a break", async () => {
  const page = readFileSync(join(REPO_ROOT, "docs/schemas.md"), "utf8");
  const steps = readSteps(page, "In five minutes");
  const cwd = join(folder.path, "tasks");
  const inTasks = (file: string): string => join(cwd, file);
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync("git", ["-C", cwd, ...args]);
  git("init", "--quiet");
  for (const file of [".gitignore", "package.json", "package-lock.json", "pyproject.toml"]) {
    writeFileSync(inTasks(file), file.endsWith("json") ? "{}" : "");
  }
  let edited = "";
  vi.stubEnv("PATH", userPath());
  onTestFinished(() => void vi.unstubAllEnvs());
  const compared: string[] = [];
  for (const step of steps) {
    if (step.kind === "file") {
      mkdirSync(dirname(inTasks(step.path)), { recursive: true });
      writeFileSync(inTasks(step.path), step.text);
      edited = step.language === "json" ? step.path : edited;
    } else if (step.kind === "edit") {
      const text = readFileSync(inTasks(edited), "utf8");
      expect(text).toContain(step.from);
      writeFileSync(inTasks(edited), text.replace(step.from, step.to));
    } else {
      for (const line of step.lines.filter((each) => each.startsWith("npx rollout-wire "))) {
        if (line.includes(" check")) {
          git("add", ".");
          git("-c", "user.name=t", "-c", "user.email=t@t.example", "commit", "-qm", "t");
        }
        const program = "npx --no-install rollout-wire";
        const { stdout, stderr } = await folder.run(line.split(" ").slice(2), { cwd, program });
        compared.push(line);
        const printed = stdout + stderr;
        expect(isShownAs(printed, step.printed) ? step.printed : printed).toBe(step.printed);
        shown("docs/schemas.md", step.printed);
      }
    }
  }
  expect(compared).toHaveLength(4);
});

/** Blocks that other tests produce, and those that no command prints. */
const ELSEWHERE: readonly (readonly [page: string, beginning: string, where: string])[] = [
  ["README.md", "  generated code", "readme.test.ts"],
  ["README.md", " agent runtime", "a diagram"],
  ["README.md", "rollouts.jsonl:12:", "readme.test.ts"],
  ["README.md", "bscode  .", "readme.test.ts"],
  ["docs/consumers.md", "schemas\n", "src/cli/commands/init.full.test.ts"],
  ["docs/consumers.md", "src/datafactory", "conformance/package/python-package.full.test.ts"],
  ["docs/export.md", "  decontamination", "src/cli/export/boilerplate.test.ts"],
  ["docs/import.md", "--preset openhands:", "src/cli/commands/import-messages.test.ts"],
  ["docs/migrate.md", "$ cat orders.jsonl", "src/cli/commands/migrate.test.ts"],
];

test("every block of output is produced by a test", () => {
  for (const [page, beginning] of ELSEWHERE) shown(page, beginning);
  const isFlow = (page: string): boolean => page === "ARCHITECTURE.md";
  const rest = BLOCKS.filter(({ page, text }) => !isFlow(page) && !covered.has(text));
  expect(rest).toEqual([]);
});
