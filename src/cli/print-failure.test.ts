import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, describe, expect, test } from "vitest";
import { isFindingReport } from "#generated/index.js";
import { EXIT } from "../user-error.js";
import { run } from "./run.js";

const cwd = mkdtempSync(join(tmpdir(), "rollout-wire-failure-"));
afterAll(() => rmSync(cwd, { recursive: true }));

async function fail(argv: readonly string[], format: string) {
  const [stdout, stderr] = [
    new PassThrough({ encoding: "utf8" }),
    new PassThrough({ encoding: "utf8" }),
  ];
  const stdin = (async function* (): AsyncGenerator<string> {})();
  const context = { stdin, stdout, stderr, cwd, env: {} };
  const exitCode = await run([...argv, "--format", format], context);
  return { exitCode, out: String(stdout.read() ?? ""), said: String(stderr.read() ?? "") };
}

describe.each([[["diff", "no.json", "none.json"]], [["drift"]], [["validate", "no.jsonl"]]])(
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
