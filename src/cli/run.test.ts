import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough, Writable } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { entryTypes, isFindingReport } from "#generated/index.js";
import { packageVersion } from "../base/package.js";
import { reporters } from "../base/reporters/index.js";
import { createTestFolder } from "../base/testing/run-in-folder.js";
import { EXIT, UserError } from "../base/user-error.js";
import { targets } from "../rollouts/wire/export/targets/index.js";
import { type CommandContext, GROUPS } from "./command.js";
import { commands as entries, loadCommands, run } from "./commands/index.js";
import { reportFailure } from "./failure.js";
import { parseArguments } from "./parse.js";

const commands = await loadCommands();

test("every file of a command is in the table", () => {
  const folder = join(import.meta.dirname, "commands");
  const files = readdirSync(folder).filter(
    (name) => !/\.test\.ts$|^testing$|^index\.ts$|\.md$/.test(name),
  );
  expect(entries.map(({ name }) => `${name.replace(" ", "-")}.ts`).toSorted()).toEqual(
    files.toSorted(),
  );
});

describe("run", () => {
  /** A stream that fails like a closed pipe or a full disk, and stores what was written before. */
  class FailingSink extends Writable {
    readonly #code: string | undefined;
    text = "";

    constructor(code?: string) {
      super();
      this.#code = code;
    }

    override _write(chunk: Buffer, _encoding: string, done: (error?: Error) => void): void {
      if (this.#code === undefined) {
        this.text += chunk.toString("utf8");
        done();
      } else {
        done(Object.assign(new Error(`${this.#code}: it failed`), { code: this.#code }));
      }
    }
  }

  function contextWith(stdout: Writable, stderr: Writable): CommandContext {
    const stdin = (async function* () {
      yield "NaN";
    })();
    return { stdin, stdout, stderr, cwd: "/", env: {}, program: "rollout-wire" };
  }

  test("a reader that stops is not a failure and does not change the exit code", async () => {
    const stderr = new FailingSink();
    const context = contextWith(new FailingSink("EPIPE"), stderr);
    expect(await run(["--version"], context)).toBe(EXIT.ok);
    expect(await run(["validate", "-"], context)).toBe(EXIT.findings);
    expect(stderr.text).toMatch(/^1 error, [^\n]*\n$/);
  });

  test("a full disk is a failure, one line", async () => {
    const stderr = new FailingSink();
    expect(await run(["--version"], contextWith(new FailingSink("ENOSPC"), stderr))).toBe(
      EXIT.unreadable,
    );
    expect(stderr.text).toBe("standard output: ENOSPC: it failed\n");
  });

  test("standard error may fail too", async () => {
    const context = contextWith(new FailingSink(), new FailingSink("EPIPE"));
    expect(await run(["validate", "-"], context)).toBe(EXIT.findings);
  });

  test("an unexpected error is a bug of ours", async () => {
    const stderr = new FailingSink();
    const context = contextWith(new FailingSink(), stderr);
    const stdin = (async function* (): AsyncGenerator<string> {
      yield "{}";
      throw new TypeError("oops");
    })();
    expect(await run(["validate", "-"], { ...context, stdin })).toBe(EXIT.bug);
    expect(stderr.text).toBe("bug in rollout-wire: oops (run with DEBUG=1 for the stack)\n");
  });
});

describe("parseArguments", () => {
  const folder = createTestFolder();
  afterAll(() => folder.remove());

  test("the command line is kept as a shell takes it, without credentials", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const stdin = (async function* (): AsyncGenerator<string> {})();
    const argv = ["report", "contract", "-r", "a=https://u:secret@x.example/a.git", "-o", "a b"];
    const context = { stdin, stdout, stderr, cwd: folder.path, env: {}, program: "rollout-wire" };
    const invocation = await parseArguments(argv, entries, context);
    expect(invocation?.input.line).toBe(
      "rollout-wire report contract -r 'a=https://***@x.example/a.git' -o 'a b'",
    );
  });

  describe("a usage error is one line and exit code 2", () => {
    test.each<[string[], string]>([
      [
        ["valdate"],
        "unknown command 'valdate' (did you mean validate?)  Help:  rollout-wire --help",
      ],
      [["--frobnicate"], "unknown option '--frobnicate'  Help:  rollout-wire --help"],
      [
        ["shard"],
        "'shard' is half a command: use shard split, shard index, shard join  Help:  rollout-wire --help",
      ],
      [
        ["shard", "spilt", "--input", "a"],
        "unknown command 'shard spilt' (did you mean shard split?)  Help:  rollout-wire --help",
      ],
      [["stats", "a.jsonl"], "stats is now show --summary  Help:  rollout-wire show --help"],
      [
        ["changelog", "a", "b"],
        "changelog is now diff --format changelog  Help:  rollout-wire diff --help",
      ],
      [["partition"], "partition is now shard split  Help:  rollout-wire shard split --help"],
      [
        ["decontaminate", "index"],
        "decontaminate index is now shard index  Help:  rollout-wire shard index --help",
      ],
      [
        ["shard", "merge", "out/1"],
        "shard merge is now shard join  Help:  rollout-wire shard join --help",
      ],
      [
        ["export", "--input", "a", "--skip-errored"],
        "unknown option '--skip-errored' (did you mean --skip errored?)  Help:  rollout-wire export --help",
      ],
      [
        ["rank", "--input", "a", "--output", "b", "--skip-contaminated"],
        "unknown option '--skip-contaminated'  Help:  rollout-wire rank --help",
      ],
      [["merge", "out/1"], "merge is now shard join  Help:  rollout-wire shard join --help"],
      [
        ["decontaminate", "a.jsonl"],
        "decontaminate is now export --eval-items  Help:  rollout-wire export --help",
      ],
      [
        ["validate", "a.jsonl", "--rejects", "b.jsonl"],
        "unknown option '--rejects', an option of import, rank, export, migrate  Help:  rollout-wire validate --help",
      ],
      [["import"], "missing required argument 'file'  Help:  rollout-wire import --help"],
      [["redact"], "missing required argument 'file'  Help:  rollout-wire redact --help"],
      [
        ["validate", "--max-error", "1", "a"],
        "unknown option '--max-error' (Did you mean --max-errors?)  Help:  rollout-wire validate --help",
      ],
      [
        ["validate", "--frobnicate", "a"],
        "unknown option '--frobnicate'  Help:  rollout-wire validate --help",
      ],
      [
        ["validate", "--max-errors", "-1", "a"],
        "option '--max-errors <n>' argument '-1' is invalid. It must be a non-negative integer.  Help:  rollout-wire validate --help",
      ],
      [
        ["validate", "--format", "xml", "a"],
        `option '-f, --format <name>' argument 'xml' is invalid. Allowed choices are ${reporters.map(({ id }) => id).join(", ")}.  Help:  rollout-wire validate --help`,
      ],
      [
        ["validate", "--type", "Nope", "a"],
        `option '-t, --type <name>' argument 'Nope' is invalid. Allowed choices are ${entryTypes.map(({ name }) => name).join(", ")}.  Help:  rollout-wire validate --help`,
      ],
      [
        ["validate", "--type"],
        "option '-t, --type <name>' argument missing  Help:  rollout-wire validate --help",
      ],
      [
        ["rank"],
        "required option '-i, --input <file...>' not specified  Help:  rollout-wire rank --help",
      ],
      [["export"], "missing required argument 'file'  Help:  rollout-wire export --help"],
      [
        ["export", "--inptu", "a"],
        "unknown option '--inptu' (Did you mean --input?)  Help:  rollout-wire export --help",
      ],
      [["validate", "-v", "a"], "unknown option '-v'  Help:  rollout-wire validate --help"],
      [["validate", "a", ""], "argument 2 is empty  Help:  rollout-wire validate --help"],
      [["init", ""], "argument 1 is empty  Help:  rollout-wire init --help"],
      [
        ["validate", "--schema", "-f", "a"],
        "--schema needs a value, but -f follows (for a file of that name: ./-f)",
      ],
      [
        ["export", "--input", "a", "--target", "nope"],
        `option '-t, --target <name>' argument 'nope' is invalid. Allowed choices are ${Object.keys(targets).join(", ")}.  Help:  rollout-wire export --help`,
      ],
    ])("%j", async (argv, stderr) => {
      expect(await folder.run(argv)).toEqual({
        exitCode: EXIT.usage,
        stdout: "",
        stderr: `${stderr}\n`,
      });
    });
  });

  describe("help", () => {
    const help = async (...argv: string[]): Promise<string> => {
      const { exitCode, stdout, stderr } = await folder.run(argv);
      expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
      return stdout;
    };

    test("without arguments: the commands by group, but the advanced ones, and how to start", async () => {
      expect((await help()).replace(packageVersion(), "0.0.0")).toMatchInlineSnapshot(`
        "rollout-wire 0.0.0: contracts that hold across repositories, and rollouts that become training data

        data       validate   check records, or JSONL against any JSON Schema
                   import     turn logs and rows into branches
                   rank       score branches and rank them
                   export     write training data, decontaminated
                   show       look at rollouts in the terminal, or sum them up
                   report     write rollouts, or the contract, as one HTML page
                   redact     replace secrets by placeholders
        contract   init       find schemas and copies here, write the configuration
                   generate   write types, guards and dataclasses from schemas
                   check      prove that schemas, code and fixtures agree
                   diff       show what a schema change breaks, and prove it
                   drift      verify copies and forks against their originals
                   sync       bring the copies of a repository up to date

        Start with your own file:  rollout-wire export -i runs.jsonl -e eval.jsonl
        or your own schema:        rollout-wire generate task.schema.json
        One command:               rollout-wire export --help
        All commands:              rollout-wire --help --all
        "
      `);
      for (const flag of ["--help", "-h", "help"]) expect(await help(flag)).toBe(await help());
    });

    test("of the program with --all lists every command, below its group", async () => {
      const text = await help("--help", "--all");
      expect(await help("help", "--all")).toBe(text);
      expect(entries.length).toBeGreaterThan(15);
      const all = text.split("\n").map((line) => line.slice(11).split(/ {2,}/));
      for (const { name, summary } of entries) expect(all).toContainEqual([name, summary]);
      expect(text.match(/^\w+(?= {3})/gm)).toEqual(GROUPS);
    });

    test("of commands that begin with the same word", async () => {
      expect(await help("shard", "--help")).toMatch(
        /^advanced {3}shard split [\s\S]*shard index [\s\S]*shard join .*\n$/,
      );
      expect(await help("help", "shard", "join")).toBe(await help("shard", "join", "--help"));
      expect(await help("--help", "rank")).toBe(await help("rank", "-h"));
    });

    test("of the program fits 80 columns, and wraps in fewer", async () => {
      for (const columns of [50, 80]) {
        const { stdout } = await folder.run(["--help", "--all"], { isTTY: true, columns });
        const [, commandsText = ""] = stripVTControlCharacters(stdout).split("\n\n");
        expect(commandsText.split("\n").filter(({ length }) => length > columns)).toEqual([]);
        expect(commandsText.split("\n").length > entries.length).toBe(columns < 80);
        expect(stdout).toContain("\u001b[1mdata ");
      }
    });

    test.each(commands)(
      "of $name has an example and every option",
      async ({ name, options, examples }) => {
        const { exitCode, stdout, stderr } = await folder.run([...name.split(" "), "--help"]);
        expect([exitCode, stderr]).toEqual([EXIT.ok, ""]);
        expect(examples.length).toBeGreaterThan(0);
        for (const example of examples) expect(stdout).toContain(`\n  rollout-wire ${example}\n`);
        for (const { flags, hidden } of options)
          expect(stdout.includes(`\n  ${flags}`)).toBe(!hidden);
      },
    );

    test("is as wide as the terminal, and bold only there", async () => {
      for (const columns of [40, 60]) {
        const { stdout } = await folder.run(["rank", "--help"], { isTTY: true, columns });
        const [options = ""] = stripVTControlCharacters(stdout).split("\nExamples:");
        const lines = options.split("\n");
        expect(lines.filter(({ length }) => length > columns)).toEqual([]);
        expect(stdout).toContain("\u001b[1mOptions:\u001b[22m");
      }
      expect((await folder.run(["rank", "--help"])).stdout).not.toContain("\u001b");
    });

    test.each([["--version"], ["-v"]])("the version: %s", async (flag) => {
      expect(await folder.run([flag])).toEqual({
        exitCode: EXIT.ok,
        stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
        stderr: "",
      });
    });
  });
});

test("--quiet leaves findings and errors, and nothing else", async () => {
  const folder = createTestFolder();
  const file = folder.write("a.jsonl", "NaN\n");
  const loud = await folder.run(["validate", file]);
  expect(loud.stderr).toMatch(/^1 error, /);
  expect(await folder.run(["validate", "-q", file])).toEqual({ ...loud, stderr: "" });
  expect(await folder.run(["validate", "--quiet", "no.jsonl"])).toEqual({
    exitCode: EXIT.unreadable,
    stdout: "",
    stderr: "no.jsonl: no such file\n",
  });
  folder.remove();
});

describe("printFailure", () => {
  const cwd = mkdtempSync(join(tmpdir(), "rollout-wire-failure-"));
  afterAll(() => rmSync(cwd, { recursive: true }));

  async function fail(argv: readonly string[], format: string) {
    const [stdout, stderr] = [
      new PassThrough({ encoding: "utf8" }),
      new PassThrough({ encoding: "utf8" }),
    ];
    const stdin = (async function* (): AsyncGenerator<string> {})();
    const context = { stdin, stdout, stderr, cwd, env: {}, program: "rollout-wire" };
    const exitCode = await run([...argv, "--format", format], context);
    return { exitCode, out: String(stdout.read() ?? ""), said: String(stderr.read() ?? "") };
  }

  describe.each([[["diff", "no.json", "none.json"]], [["sync"]], [["validate", "no.jsonl"]]])(
    "a failure of %j is a report with one failure",
    (argv) => {
      test("json", async () => {
        const { exitCode, out, said } = await fail(argv, "json");
        const report: unknown = JSON.parse(out);
        expect(isFindingReport(report)).toBe(true);
        expect(report).toMatchObject({
          command: argv[0],
          checked: 0,
          findings: [{ id: "failure", severity: "error", message: said.trim().split("\n")[0] }],
          summary: { errors: 1 },
        });
        expect(exitCode).toBe((await fail(argv, "text")).exitCode);
        expect(exitCode).not.toBe(EXIT.ok);
      });

      test("sarif", async () => {
        const { out } = await fail(argv, "sarif");
        const { runs } = JSON.parse(out);
        expect(runs).toHaveLength(1);
        expect(runs[0].results).toEqual([]);
        expect(runs[0].invocations[0]).toMatchObject({
          executionSuccessful: false,
          toolExecutionNotifications: [{ level: "error", message: { text: expect.any(String) } }],
        });
      });

      test("junit and github", async () => {
        expect((await fail(argv, "junit")).out).toMatch(/ tests="1" failures="1">[\s\S]*<failure /);
        expect((await fail(argv, "github")).out).toMatch(/^::error title=failure::[^\n]+\n$/);
        expect((await fail(argv, "text")).out).toBe("");
      });
    },
  );
});

describe("reportFailure", () => {
  function report(error: unknown, env: Record<string, string> = {}): [number, string] {
    const stderr = new PassThrough({ encoding: "utf8" });
    const exitCode = reportFailure(error, stderr, env);
    return [exitCode, String(stderr.read())];
  }

  test("a user error is one line, even for an odd file name", () => {
    expect(report(new UserError("a\nb\u001b[2J: no such file"))).toEqual([
      EXIT.unreadable,
      "a\\u000ab\\u001b[2J: no such file\n",
    ]);
  });

  test("a bug of ours says how to get the stack", () => {
    expect(report(new TypeError("oops"))).toEqual([
      EXIT.bug,
      "bug in rollout-wire: oops (run with DEBUG=1 for the stack)\n",
    ]);
    expect(report("oops")[0]).toBe(EXIT.bug);
  });

  test("the stack only if DEBUG is set", () => {
    const error = new UserError("no", EXIT.usage);
    expect(report(error, { DEBUG: "" })).toEqual([EXIT.usage, "no\n"]);
    const [exitCode, text] = report(error, { DEBUG: "1" });
    expect(exitCode).toBe(EXIT.usage);
    expect(text).toMatch(/^no\nUserError: no\n {4}at /);
  });
});
