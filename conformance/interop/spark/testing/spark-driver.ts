import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { packageRoot } from "../../../../src/base/package.js";
import { buildProgram } from "../../../../src/base/testing/build-program.js";
import { SPARK } from "../../../python-env.js";

/** A session on this machine: two threads, and three attempts for each task. */
const SETTINGS = {
  "spark.master": "local[2,3]",
  "spark.ui.enabled": "false",
  "spark.ui.showConsoleProgress": "false",
  "spark.driver.bindAddress": "127.0.0.1",
  "spark.driver.host": "127.0.0.1",
  "spark.driver.memory": "700m",
};

/** A finding with its place in the files that Spark read. */
export interface SparkFinding {
  readonly id: string;
  readonly severity: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly message: string;
}

/** What a call raised. */
export interface SparkError {
  /** Names of the exception and its bases. */
  readonly kinds: readonly string[];
  readonly message: string;
  readonly findings: readonly SparkFinding[];
}

/** What `export` and `validate` give, as JSON. */
export interface SparkResult {
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly checked: number;
  readonly findings: readonly SparkFinding[];
  readonly found: { readonly errors: number; readonly warnings: number };
}

type Answer<Result> = { readonly result: Result } | { readonly error: SparkError };

/** A program in Python with a session of Spark, that runs one call after the other. */
export class SparkDriver {
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #stderr = "";

  constructor(
    folder: string,
    {
      settings = {},
      env = {},
    }: {
      readonly settings?: Readonly<Record<string, string>>;
      readonly env?: Readonly<Record<string, string>>;
    } = {},
  ) {
    this.#process = spawn("python3", [join(import.meta.dirname, "../driver.py")], {
      cwd: folder,
      env: { ...process.env, ...sparkEnvironment(), TMPDIR: folder, ...env },
    });
    const { stdin, stdout, stderr } = this.#process;
    if (stdin === null || stdout === null) throw new Error("the driver has no pipes");
    stdin.on("error", () => {});
    stderr?.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-5000);
    });
    this.#answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
    const folders = { "spark.local.dir": folder, "spark.sql.warehouse.dir": folder };
    stdin.write(`${JSON.stringify({ ...SETTINGS, ...folders, ...settings })}\n`);
  }

  /** Throws, with the end of what Spark printed, if the program ends. */
  async ask<Result>(
    call: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Answer<Result>> {
    this.#process.stdin?.write(`${JSON.stringify({ call, arguments: args })}\n`);
    const { value, done } = await this.#answers.next();
    if (done === true) throw new Error(`the driver has ended:\n${this.#stderr}`);
    return JSON.parse(value);
  }

  /** Throws if the call raises an exception. */
  async call<Result = SparkResult>(
    call: string,
    args: Readonly<Record<string, unknown>>,
  ): Promise<Result> {
    const answer = await this.ask<Result>(call, args);
    if ("result" in answer) return answer.result;
    throw new Error(`${answer.error.kinds[0]}: ${answer.error.message}`);
  }

  /** What the call raises. Throws if it raises nothing. */
  async fail(call: string, args: Readonly<Record<string, unknown>>): Promise<SparkError> {
    const answer = await this.ask(call, args);
    if ("error" in answer) return answer.error;
    throw new Error(`${call} raised no exception`);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once("close", resolve));
    this.#process.stdin?.end();
    await ended;
  }
}

/** The variables with which Python finds the package, and the package the program. */
export function sparkEnvironment(): Record<string, string> {
  return {
    PYTHONPATH: join(packageRoot(), "integrations/spark"),
    PYTHONPYCACHEPREFIX: join(packageRoot(), SPARK.folder, "compiled"),
    PYSPARK_PYTHON: "python3",
    ROLLOUT_WIRE_NODE: process.execPath,
    ROLLOUT_WIRE_PROGRAM: buildProgram().main,
  };
}
