import { spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { isJsonObject, type JsonObject } from "../../src/base/json/value.js";
import { CONFIG_FILE, packageVersion } from "../../src/base/package.js";
import { copyRepository } from "../../src/base/testing/copy-repository.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import { EXIT } from "../../src/base/user-error.js";
import { configurePresent } from "../../src/contract/drift/testing/layouts.js";
import { startGithubApi } from "./testing/github-api.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";
import { at, readCodeBlocks, readCommandLines, readInputs } from "./testing/read-command-lines.js";
import { runTool } from "./testing/run-tool.js";

const REPO_ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(REPO_ROOT, file), "utf8");
const GUIDE = read("docs/consumers.md");
const CI_PAGE = read("docs/ci.md");
const WORKFLOW = ".github/workflows/drift.yml";

const SCHEMA = "src/datafactory/rollout-wire.schema.json";
const LOCK = "rollout-wire.lock.json";

/** Line of the schema that a test changes. */
const MINIMUM =
  read("schema/rollout-wire.schema.json")
    .split("\n")
    .findIndex((line) => line.includes('"minimum": 1')) + 1;

/** The git repository of a consumer that installed the package and synced its copies. */
let consumer: InstalledPackage;
beforeAll(() => {
  consumer = installPackage();
  git("init", "--quiet");
  writeFileSync(join(consumer.folder, ".gitignore"), "node_modules/\n");
  configurePresent("trace-pipeline", consumer.folder);
  expect(runLine("npx rollout-wire sync")).toMatchObject({ status: EXIT.ok });
  git("add", ".");
  git("commit", "--quiet", "-m", "copies");
});
afterAll(() => consumer.remove());
afterEach(() => {
  git("reset", "--quiet", "--hard", "HEAD");
  git("clean", "--quiet", "-d", "--force");
});

function git(...args: string[]): string {
  const author = ["-c", "user.name=t", "-c", "user.email=t@t.example"];
  return runTool("git", [...author, ...args], consumer.folder);
}

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the consumer's. */
  readonly cwd?: string;
}

/** Runs a command line offline as CI does, with the commands of the installed package. */
function runLine(script: string, { env = {}, cwd = consumer.folder }: RunOptions = {}): Outcome {
  const path = [join(consumer.folder, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script],
    {
      cwd,
      encoding: "utf8",
      env: { ...process.env, npm_config_offline: "true", PATH: path, ...env },
    },
  );
  return { status, stdout, stderr };
}

/**
 * Runs the only step of an action or workflow whose condition is true, with its inputs filled in as GitHub
 * does.
 */
function runStep(
  file: string,
  given: Readonly<Record<string, string>>,
  options: RunOptions = {},
): Outcome {
  const { script, env } = readStep(file, given);
  return runLine(script, { ...options, env: { ...options.env, ...env } });
}

function readStep(file: string, given: Readonly<Record<string, string>>) {
  const yaml = read(file);
  const inputs = { "github.event_name": "pull_request", ...readInputs(yaml), ...given };
  const [line, ...others] = readCommandLines(yaml).filter(({ condition }) =>
    holds(condition, inputs),
  );
  if (line === undefined || others.length > 0) throw new Error(`${file} runs not one command line`);
  const values: Readonly<Record<string, string | undefined>> = {
    "github.token": "token-of-the-job",
    "github.event.pull_request.number": "7",
    "github.event.pull_request.head.repo.full_name": "owner/name",
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value])),
  };
  const fill = (text: string): string =>
    text.replaceAll(/\$\{\{ ([\w.-]+) \}\}/g, (_, name: string) => {
      if (!(name in values)) throw new Error(`${file} has no value for ${name}`);
      return fill(values[name] ?? "");
    });
  const env = Object.entries(line.env).map(([name, text]) => [name, fill(text)] as const);
  return { script: line.script, env: Object.fromEntries(env) };
}

/** Evaluates a condition. Only one kind is in use: comparisons of an input or the event with a text, all of which must hold. */
function holds(condition: string | undefined, inputs: Readonly<Record<string, unknown>>): boolean {
  return (condition ?? "").split(" && ").every((each) => each === "" || isTrue(each, inputs));
}

function isTrue(condition: string, inputs: Readonly<Record<string, unknown>>): boolean {
  const [, name = "", operator, text] =
    /^(?:inputs\.)?([\w.-]+) ([!=]=) '(.*)'$/.exec(condition) ?? [];
  if (!(name in inputs)) throw new Error(`cannot evaluate ${condition}`);
  return (inputs[name] === text) === (operator === "==");
}

const version = packageVersion();
const hooks = parse(read(".pre-commit-hooks.yaml")) as readonly unknown[];
const [hook] = hooks;
const gitlab = (): string[] => {
  const block = readCodeBlocks(CI_PAGE, "yaml").find((text) => text.startsWith("# .gitlab-ci.yml"));
  return at(parse(block ?? ""), "rollout-wire-drift", "script") as string[];
};

const integrations: readonly (readonly [what: string, run: () => Outcome, annotation: string])[] = [
  [
    "action.yml",
    () => runStep("action.yml", { version }),
    `::error file=${SCHEMA},line=${MINIMUM},`,
  ],
  [WORKFLOW, () => runStep(WORKFLOW, { version }), `::error file=${SCHEMA},line=${MINIMUM},`],
  [".pre-commit-hooks.yaml", () => runLine(String(at(hook, "entry"))), `${SCHEMA}:${MINIMUM}:`],
  [
    "the block for GitLab",
    () => {
      const outcome = runLine(gitlab().join("\n"));
      const report = join(consumer.folder, "rollout-wire.xml");
      return existsSync(report) ? { ...outcome, stdout: readFileSync(report, "utf8") } : outcome;
    },
    SCHEMA,
  ],
];

describe.each(integrations)("%s", (_what, run, annotation) => {
  test("is green if the copies are unchanged", () => {
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([EXIT.ok, expect.stringContaining("0 errors")]);
  });

  test("is red if a copy was changed, and names it", () => {
    const path = join(consumer.folder, SCHEMA);
    writeFileSync(path, readFileSync(path, "utf8").replace('"minimum": 1', '"minimum": 2'));
    const { status, stdout } = run();
    expect(status).toBe(EXIT.findings);
    expect(stdout).toContain(annotation);
  });
});

// Only how the program is started differs: that it finds more than a changed copy, one of them shows.
describe.each(integrations.slice(0, 1))("%s", (_what, run) => {
  test("is red if a copy is missing", () => {
    rmSync(join(consumer.folder, SCHEMA));
    expect(run().status).toBe(EXIT.findings);
  });

  test("is red if neither a lock nor a configuration lists the copies", () => {
    for (const file of [LOCK, CONFIG_FILE]) rmSync(join(consumer.folder, file));
    const { status, stdout } = run();
    expect([status, stdout]).toEqual([
      EXIT.findings,
      expect.stringContaining(`::error file=${SCHEMA},`),
    ]);
  });
});

describe.each(["action.yml", WORKFLOW])("%s", (file) => {
  test("requires an explicit version", () => {
    const { status, stderr } = runStep(file, {});
    expect(status).not.toBe(0);
    expect(stderr).toContain("pin a version");
  });

  test("is red for an unknown command", () => {
    expect(runStep(file, { version, command: "drfit" }).status).toBe(EXIT.usage);
  });

  test("passes arguments on", () => {
    const { status } = runStep(file, { version, arguments: "--latest --max-warnings 0" });
    expect(status).toBe(EXIT.ok);
  });
});

test.each(["action.yml", WORKFLOW])(
  "%s checks schemas of its own with the version given",
  (file) => {
    const cwd = join(consumer.folder, "own");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "task.schema.json"), '{"title": "Task", "type": "object"}\n');
    const outputs = [{ target: "validators", folder: "generated" }];
    const schemas = { sources: ["task.schema.json"], outputs };
    const config = { config_version: "config/v1", repository: "own", artefacts: [], schemas };
    writeFileSync(join(cwd, CONFIG_FILE), JSON.stringify(config));
    expect(runLine("rollout-wire generate", { cwd }).status).toBe(EXIT.ok);
    const check = (): Outcome => runStep(file, { version, command: "check" }, { cwd });
    expect(check()).toMatchObject({
      status: EXIT.ok,
      stderr: expect.stringContaining("0 findings in 3 checks"),
    });
    writeFileSync(join(cwd, "task.schema.json"), '{"title": "Task", "type": "array"}\n');
    const { status, stdout } = check();
    expect([status, stdout]).toEqual([
      EXIT.findings,
      expect.stringMatching(/^::error file=generated\//m),
    ]);
  },
);

test("the action refuses pull_request_target before anything runs", () => {
  const [first] = readCommandLines(read("action.yml"));
  expect(holds(first?.condition, { "github.event_name": "pull_request_target" })).toBe(true);
  expect(runLine(first?.script ?? "")).toMatchObject({
    status: EXIT.usage,
    stdout: expect.stringMatching(
      /^::error title=rollout-wire::pull_request_target .*: use pull_request;/,
    ),
  });
  expect(CI_PAGE + read("README.md")).not.toMatch(/^ *(?:on:.*)?pull_request_target/m);
});

test("validate is red for an invalid record, with an annotation and a summary", () => {
  const summary = join(consumer.folder, "summary.md");
  const given = { version, command: "validate", arguments: "records/ --max-warnings 5" };
  const env = { GITHUB_STEP_SUMMARY: summary };
  const valid = join(REPO_ROOT, "fixtures/golden/data-loop/input.jsonl");
  cpSync(valid, join(consumer.folder, "records/valid.jsonl"));
  expect(runStep("action.yml", given, { env })).toMatchObject({ status: EXIT.ok });
  writeFileSync(join(consumer.folder, "records/wrong.jsonl"), '{"rollout_id": "r"}\n');
  const { status, stdout } = runStep("action.yml", given, { env });
  expect([status, stdout]).toEqual([
    EXIT.findings,
    expect.stringMatching(/^::error file=records\/wrong\.jsonl,line=1,/),
  ]);
  expect(readFileSync(summary, "utf8")).toContain("`records/wrong.jsonl:1:1`");
});

test("diff keeps one comment with what a pull request breaks", async () => {
  const api = await startGithubApi();
  try {
    git("checkout", "--quiet", "-B", "pull-request");
    const base = git("rev-parse", "HEAD").trim();
    const path = join(consumer.folder, SCHEMA);
    const push = async (change: (text: string) => string): Promise<number | null> => {
      writeFileSync(path, change(readFileSync(path, "utf8")));
      git("commit", "--quiet", "--allow-empty", "--all", "-m", "push");
      const given = { version, command: "diff", arguments: `${base}...HEAD src/` };
      const { script, env } = readStep("action.yml", given);
      return await runScript(script, { ...api.env, ...env, GITHUB_ACTION_PATH: REPO_ROOT });
    };
    const tightened = (text: string): string => text.replace('"minimum": 1', '"minimum": 2');
    expect(await push(tightened)).toBe(EXIT.findings);
    expect(api.comments).toHaveLength(1);
    expect(api.comments[0]?.body).toContain("**N1 range-tightened**");
    expect(await push((text) => text)).toBe(EXIT.findings);
    expect(await push((text) => text.replace('"minimum": 2', '"minimum": 1'))).toBe(EXIT.ok);
    expect(api.comments.map(({ body }) => body)).toEqual([
      expect.stringMatching(
        /^<!-- rollout-wire diff [0-9a-f]{16} -->\nNo schema changed: 1 checked\b/,
      ),
    ]);
    const unresolved = (text: string): string =>
      text.replace('"minimum": 1', '"minimum": 1, "$ref": "gone.json"');
    expect(await push(unresolved)).toBe(EXIT.unreadable);
    expect(api.comments.map(({ body }) => body)).toEqual([
      expect.stringContaining("- **not compared** "),
    ]);
  } finally {
    git("checkout", "--quiet", "--force", "-");
    await api.close();
  }
});

test("two steps of one job have comments of their own", () => {
  const [one, other] = ["schemas/a/", "schemas/b/"].map((path) => {
    const given = { version, command: "diff", arguments: `origin/main...HEAD ${path}` };
    return readStep("action.yml", given).env.COMMENT_KEY;
  });
  expect([one, other]).toEqual([
    ". origin/main...HEAD schemas/a/",
    ". origin/main...HEAD schemas/b/",
  ]);
});

/** Runs a step while this process answers its requests. */
async function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<number | null> {
  const path = [join(consumer.folder, "node_modules/.bin"), process.env.PATH].join(delimiter);
  const child = spawn("bash", ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script], {
    cwd: consumer.folder,
    env: { ...process.env, npm_config_offline: "true", ...env, PATH: path },
    stdio: ["ignore", "ignore", "inherit"],
  });
  return await new Promise((resolve) => child.once("close", resolve));
}

test("check is green in a clone of the canonical repository, and red for a fault", () => {
  const copy = copyRepository([
    ...["conformance", "fixtures", "generated", "integrations/python", "package.json", "schema"],
    ...["rollout-wire.config.json", "scripts", "src"],
    ...["tsconfig.build.json", "tsconfig.json", "tsconfig.pages.json"],
  ]);
  try {
    const options = {
      cwd: copy.root,
      env: { npm_config_offline: "false", npm_config_prefer_offline: "true" },
    };
    const only = "--only registry schema-lint";
    const { script, env } = readStep(WORKFLOW, { command: "check", arguments: only });
    const own = script.trimEnd().split("\nfi\n")[1] ?? "";
    const [install = "", check = "", ...others] = own.split("\n");
    expect([install, others]).toEqual([expect.stringMatching(/^npm ci /), []]);
    const run = (line: string) => runLine(line, { ...options, env: { ...options.env, ...env } });
    if (isNightly) {
      // As after a checkout: nothing is installed. CI itself is such a clone.
      unlinkSync(join(copy.root, "node_modules"));
      cpSync(join(REPO_ROOT, "package-lock.json"), join(copy.root, "package-lock.json"));
      expect(run(install)).toMatchObject({ status: EXIT.ok });
    }
    expect(run(check)).toMatchObject({
      status: EXIT.ok,
      stdout: expect.not.stringContaining("::error"),
      stderr: expect.stringContaining("0 findings in 2 checks"),
    });
    copy.edit("schema/registry.json", (text) =>
      text.replace('"generated/python/rollout_wire"', '"generated/nowhere"'),
    );
    expect(run(check)).toMatchObject({
      status: EXIT.findings,
      stdout: expect.stringContaining("::error file=schema/registry.json,line="),
    });
  } finally {
    copy.remove();
  }
});

test("the lock names the commit from which the package was packed", () => {
  const lock: unknown = JSON.parse(readFileSync(join(consumer.folder, LOCK), "utf8"));
  expect(at(lock, "source", "commit")).toBe(consumer.commit);
});

test("the action runs the same check as the workflow", () => {
  const [ofAction, ofWorkflow] = ["action.yml", WORKFLOW].map((file) =>
    readCommandLines(read(file)).find(({ condition }) =>
      holds(condition, { command: "check", "github.event_name": "push" }),
    ),
  );
  expect(ofAction?.script).toContain("npm ci");
  expect(ofAction).toEqual(ofWorkflow);
});

describe.each(["docs/ci.md", "README.md"])("%s", (page) => {
  test("names this version", () => {
    const versions = [
      ...read(page).matchAll(/(?:rollout-wire@v?|@v|\[cli\]==|version: |rev: v)(\d+\.\d+\.\d+)/g),
    ].map(([, named]) => named);
    expect(new Set(versions)).toEqual(new Set([version]));
  });
});

describe("README.md and docs/ci.md", () => {
  const [workflow, ...others] = readCodeBlocks(read("README.md"), "yaml");
  const blocks = [workflow ?? "", ...readCodeBlocks(CI_PAGE, "yaml")].map(
    (text) => parse(text) as unknown,
  );
  const jobs = blocks.flatMap((block) => Object.values(toObject(at(block, "jobs") ?? {})));

  test("uses inputs that workflow and action declare", () => {
    const called = jobs.find((job) => at(job, "uses") !== undefined);
    expect(at(called, "uses")).toMatch(new RegExp(`/rollout-wire/${WORKFLOW}@v${version}$`));
    expect(Object.keys(readInputs(read(WORKFLOW)))).toEqual(namesIn(at(called, "with")));
    const steps = jobs
      .flatMap((job) => (at(job, "steps") ?? []) as readonly unknown[])
      .filter((step) => String(at(step, "uses")).endsWith(`/rollout-wire@v${version}`));
    expect(steps.map((step) => at(step, "with", "command"))).toEqual(["validate", "diff", "drift"]);
    for (const step of steps) {
      expect(Object.keys(readInputs(read("action.yml")))).toEqual(namesIn(at(step, "with")));
    }
  });

  test("the workflow of a pull request runs for nothing else", () => {
    expect(others).toEqual([]);
    expect(Object.keys(toObject(at(blocks[0], "on")))).toEqual(["pull_request"]);
  });

  test("names the hooks by their ids", () => {
    const [repository] = blocks.flatMap((block) => (at(block, "repos") ?? []) as unknown[]);
    const named = (at(repository, "hooks") as readonly unknown[]).map((each) => at(each, "id"));
    expect(named.toSorted()).toEqual(hooks.map((each) => at(each, "id")).toSorted());
    for (const each of hooks) {
      expect([at(each, "pass_filenames"), at(each, "language")]).toEqual([false, "system"]);
    }
  });
});

describe("docs/consumers.md", () => {
  test("has command lines that work", () => {
    const [first = "", ...rest] = readCodeBlocks(GUIDE, "sh");
    const others = rest.filter((block) => !block.includes("--repo"));
    expect([first.includes("init"), others.length]).toEqual([true, rest.length - 1]);
    for (const line of others) expect(runLine(line)).toMatchObject({ status: EXIT.ok });
    // A repository with copies that nobody configured.
    git("reset", "--quiet", "--hard", "HEAD");
    for (const file of [LOCK, CONFIG_FILE]) unlinkSync(join(consumer.folder, file));
    expect(runLine(first)).toMatchObject({ status: EXIT.ok });
  });

  test("has command lines that work for an owner", () => {
    const [block = ""] = readCodeBlocks(GUIDE, "sh").filter((each) => each.includes("--repo"));
    const place = join(consumer.folder, "..");
    const source = join(consumer.folder, "node_modules/rollout-wire/schema");
    cpSync(source, join(place, "contracts/schema"), { recursive: true });
    const fork = readFileSync(join(source, "rollout-wire.schema.json"), "utf8");
    const folders = ["contracts", "trace-pipeline", "wasmagent-js", "bscode"];
    for (const name of folders.slice(1)) {
      mkdirSync(join(place, name));
      writeFileSync(join(place, name, "wire.json"), name === "bscode" ? "{}" : fork);
    }
    try {
      const cwd = join(place, "contracts");
      const statuses = block
        .trim()
        .split("\n")
        .map((line) => runLine(line.replace("npx ", ""), { cwd }).status);
      expect(statuses).toEqual([EXIT.ok, EXIT.findings, EXIT.ok]);
    } finally {
      for (const name of folders) rmSync(join(place, name), { recursive: true });
    }
  });
});

/** A list that equals the names of an object, among others. */
function namesIn(value: unknown): unknown {
  return expect.arrayContaining(Object.keys(toObject(value)));
}

function toObject(value: unknown): JsonObject {
  if (!isJsonObject(value)) throw new TypeError("is no object");
  return value;
}
