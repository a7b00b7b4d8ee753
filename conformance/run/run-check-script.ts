import { spawn } from "node:child_process";
import { isCheckedThings, isReportedFinding } from "#generated/index.js";
import { onEndingSignal } from "../../src/files/temp.js";
import { isJsonObject } from "../../src/json/value.js";
import { UserError } from "../../src/user-error.js";
import type { CheckOutcome } from "../checks/check.js";
import { requireTools } from "./require-tools.js";

/** Only so that a hang ends, such as a generator's on an odd schema: a whole run takes seconds. */
const TIMEOUT_MS = 120_000;

/**
 * Runs `scripts/checks/<id>.ts` of the checkout at `root` in a process of its own, and reads its outcome. Thus
 * a checkout is judged by its own generator, what is published loads none, and other checks go on
 * meanwhile.
 *
 * Throws UserError when it cannot be started, and, with what the process said of it, when it does not end well in
 * time.
 */
export async function runCheckScript(
  root: string,
  id: string,
  timeoutMs: number = TIMEOUT_MS,
): Promise<CheckOutcome> {
  requireTools(root);
  const script = `scripts/checks/${id}.ts`;
  const { status, stdout, stderr } = await runNode(root, ["--import", "tsx", script], timeoutMs);
  const outcome = status === 0 ? toOutcome(stdout) : undefined;
  if (outcome !== undefined) return outcome;
  throw new UserError(`${script} ended with ${status}: ${lastWords(stderr)}`);
}

interface Ending {
  /** Its exit code, or how it was ended. */
  readonly status: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

function runNode(cwd: string, args: readonly string[], timeoutMs: number): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
      killSignal: "SIGKILL",
    });
    const release = onEndingSignal(() => child.kill("SIGKILL"));
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output.stderr += text;
    });
    child.once("error", (error) => {
      release();
      reject(error);
    });
    child.once("close", (code, signal) => {
      release();
      const killed = `${signal} (after ${timeoutMs / 1000} s at most)`;
      resolve({ status: code ?? killed, ...output });
    });
  });
}

/** Of a trace the line that names the error; else the last line. */
function lastWords(stderr: string): string {
  const lines = stderr.trim().split("\n");
  return lines.find((line) => /^\w*Error\b/.test(line)) || lines.at(-1) || "it printed no outcome";
}

function toOutcome(text: string): CheckOutcome | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(value)) return undefined;
  const { checked, findings } = value;
  if (!Array.isArray(checked) || !checked.every(isCheckedThings)) return undefined;
  if (!Array.isArray(findings) || !findings.every(isReportedFinding)) return undefined;
  return { checked, findings };
}
