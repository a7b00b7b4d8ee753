import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Finding } from "../../../src/base/findings/finding.js";
import { createFinding } from "../../../src/base/findings/finding.js";
import type { Requirement } from "../requirement.js";

const CONFIG = "tsconfig.json";
const TSC = join(
  dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
  "bin/tsc",
);

export const typesCompile: Requirement = {
  id: "types-compile",
  purpose: "The package still compiles with the types that are generated from the schema.",
  async check(root) {
    return { findings: await findTypeErrors(root) };
  },
};

/** Running type checks: releases that are planned together share one. */
const underWay = new Map<string, Promise<readonly Finding[]>>();

function findTypeErrors(root: string): Promise<readonly Finding[]> {
  const known = underWay.get(root);
  if (known !== undefined) return known;
  const started = compile(root).finally(() => underWay.delete(root));
  underWay.set(root, started);
  return started;
}

function compile(root: string): Promise<readonly Finding[]> {
  const argv = [TSC, "--project", CONFIG, "--noEmit", "--pretty", "false"];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { cwd: root, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      resolve(error === null ? [] : toFindings(`${stdout}${stderr}` || error.message));
    });
  });
}

/** The errors in the source of the package; the whole output if it names no file. */
function toFindings(output: string): Finding[] {
  const errors = [...output.matchAll(/^(\S.*?)\((\d+),(\d+)\): error (TS\d+: .*)$/gm)];
  if (errors.length === 0) return [toFinding(CONFIG, 1, 1, `cannot be compiled: ${output.trim()}`)];
  return errors
    .filter(([, file = ""]) => isShipped(file))
    .map(([, file = "", line, column, message = ""]) =>
      toFinding(file, Number(line), Number(column), message),
    );
}

function toFinding(file: string, line: number, column: number, message: string): Finding {
  return createFinding({ id: typesCompile.id, file, position: { line, column }, message });
}

/** Tests and maintainers' programs do not block a release. */
function isShipped(file: string): boolean {
  return /^(src|conformance|generated)\//.test(file) && !/\.test\.ts$|\/testing\//.test(file);
}
