import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
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
import { isJsonObject } from "../../src/base/json/value.js";
import { packageVersion } from "../../src/base/package.js";
import { copyRepository } from "../../src/base/testing/copy-repository.js";
import { isNightly } from "../../src/base/testing/run-count.js";
import { EXIT } from "../../src/base/user-error.js";
import { startGithubApi } from "./testing/github-api.js";
import { type InstalledPackage, installPackage } from "./testing/install-package.js";
import { at, readCodeBlocks, readCommandLines, readInputs } from "./testing/read-command-lines.js";
import { runTool } from "./testing/run-tool.js";

const REPO_ROOT = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string): string => readFileSync(join(REPO_ROOT, file), "utf8");
const GUIDE = read("docs/consumers.md");
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
  const [sh = ""] = readCodeBlocks(GUIDE, "sh");
  expect(runLine(sh)).toMatchObject({ status: EXIT.ok });
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
  const inputs = { ...readInputs(yaml), ...given };
  const [line, ...others] = readCommandLines(yaml).filter(({ condition }) =>
    holds(condition, inputs),
  );
  if (line === undefined || others.length > 0) throw new Error(`${file} runs not one command line`);
  const values: Readonly<Record<string, string | undefined>> = {
    "github.token": "token-of-the-job",
    "github.event.pull_request.number": "7",
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

/** Evaluates a condition. Only one kind is in use: comparisons of an input with a text, all of which must hold. */
function holds(condition: string | undefined, inputs: Readonly<Record<string, unknown>>): boolean {
  return (condition ?? "").split(" && ").every((each) => each === "" || isTrue(each, inputs));
}

function isTrue(condition: string, inputs: Readonly<Record<string, unknown>>): boolean {
  const [, name = "", operator, text] = /^inputs\.([\w-]+) ([!=]=) '(.*)'$/.exec(condition) ?? [];
  if (!(name in inputs)) throw new Error(`cannot evaluate ${condition}`);
  return (inputs[name] === text) === (operator === "==");
}

const version = packageVersion();
const [hook] = parse(read(".pre-commit-hooks.yaml")) as readonly unknown[];
const gitlab = (): string[] => {
  const block = readCodeBlocks(GUIDE, "yaml").find((text) => text.startsWith("# .gitlab-ci.yml"));
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

  test("is red if there is no lock", () => {
    rmSync(join(consumer.folder, LOCK));
    const { status, stderr } = run();
    expect([status, stderr]).toEqual([EXIT.unreadable, expect.stringContaining(LOCK)]);
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
      "<!-- rollout-wire . -->\nNo schema changed.\n",
    ]);
  } finally {
    git("checkout", "--quiet", "--force", "-");
    await api.close();
  }
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
    ...["scripts", "src"],
    ...["tsconfig.build.json", "tsconfig.json", "tsconfig.pages.json"],
  ]);
  try {
    const options = {
      cwd: copy.root,
      env: { npm_config_offline: "false", npm_config_prefer_offline: "true" },
    };
    const only = "--only registry schema-lint";
    const { script, env } = readStep(WORKFLOW, { command: "check", arguments: only });
    const [install = "", check = "", ...others] = script.trimEnd().split("\n");
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
    copy.edit("schema/registry.json", (text) => text.replace('"trace-pipeline"', '"elsewhere"'));
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
    readCommandLines(read(file)).find(({ condition }) => holds(condition, { command: "check" })),
  );
  expect(ofAction?.script).toContain("npm ci");
  expect(ofAction).toEqual(ofWorkflow);
});

test("the hook stops the commit of a changed copy, and no other", () => {
  const { folder } = consumer;
  const file = join(folder, ".git/hooks/pre-commit");
  mkdirSync(join(folder, ".git/hooks"), { recursive: true });
  const path = join(folder, "node_modules/.bin");
  writeFileSync(file, `#!/bin/sh\nPATH="${path}:$PATH" exec ${at(hook, "entry")}\n`);
  chmodSync(file, 0o755);
  try {
    writeFileSync(join(folder, "README.md"), "ours\n");
    git("add", ".");
    git("commit", "--quiet", "-m", "no copy is changed");
    appendFileSync(join(folder, SCHEMA), "{}\n");
    git("add", ".");
    expect(() => git("commit", "--quiet", "-m", "a copy is changed")).toThrow(SCHEMA);
  } finally {
    rmSync(file);
  }
});

describe("docs/consumers.md", () => {
  const blocks = readCodeBlocks(GUIDE, "yaml").map((text) => parse(text) as unknown);

  test("names this version", () => {
    const versions = [
      ...GUIDE.matchAll(/(?:rollout-wire@v?|@v|\[cli\]==|version: |rev: v)(\d+\.\d+\.\d+)/g),
    ];
    expect(versions.length).toBeGreaterThan(5);
    expect(new Set(versions.map(([, named]) => named))).toEqual(new Set([version]));
  });

  test("uses inputs that workflow and action declare", () => {
    const jobs = blocks
      .map((block) => at(block, "jobs", "drift"))
      .filter((job) => job !== undefined);
    expect(jobs).toHaveLength(2);
    const [called, own] = jobs;
    expect(at(called, "uses")).toMatch(new RegExp(`/rollout-wire/${WORKFLOW}@v${version}$`));
    expect(Object.keys(readInputs(read(WORKFLOW)))).toEqual(namesIn(at(called, "with")));
    const step = (at(own, "steps") as readonly unknown[]).at(-1);
    expect(at(step, "uses")).toMatch(new RegExp(`/rollout-wire@v${version}$`));
    expect(Object.keys(readInputs(read("action.yml")))).toEqual(namesIn(at(step, "with")));
  });

  test("names the hook by its id", () => {
    const [repository] = blocks.flatMap((block) => (at(block, "repos") ?? []) as unknown[]);
    const [named] = at(repository, "hooks") as readonly unknown[];
    expect(at(named, "id")).toBe(at(hook, "id"));
    expect(at(hook, "pass_filenames")).toBe(false);
    expect(at(hook, "language")).toBe("system");
  });

  test("has command lines that work", () => {
    const lines = readCodeBlocks(GUIDE, "sh");
    expect(lines.length).toBeGreaterThan(1);
    // The checkout of another owner.
    const contracts = join(consumer.folder, "../contracts");
    for (const name of ["schema", "generated", "integrations", "fixtures"]) {
      const source = join(consumer.folder, "node_modules/rollout-wire", name);
      cpSync(source, join(contracts, name), { recursive: true });
    }
    try {
      for (const line of lines) expect(runLine(line)).toMatchObject({ status: EXIT.ok });
    } finally {
      rmSync(contracts, { recursive: true });
    }
  });
});

/** A list that equals the names of an object, among others. */
function namesIn(value: unknown): unknown {
  if (!isJsonObject(value)) throw new TypeError("is no object");
  return expect.arrayContaining(Object.keys(value));
}
