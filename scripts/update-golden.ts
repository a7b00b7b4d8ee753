import { updateGolden } from "../conformance/golden/golden.js";
import type { Finding } from "../src/base/findings/finding.js";
import { formatCount } from "../src/base/text.js";
import { EXIT, UserError } from "../src/base/user-error.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "golden:update",
    summary: "Rewrites fixtures/golden/*/expected.* and prints what changed.",
    options: [],
  },
  async (_options, { root, stdout, env }) => {
    // In CI, the check must detect a changed output, and nobody would commit a rewritten one.
    if (env.CI) {
      throw new UserError(
        "CI is set: golden outputs are compared there and never rewritten; run it on your machine",
        EXIT.usage,
      );
    }
    const { findings, outputs, written } = await updateGolden(root);
    for (const finding of findings) stdout.write(describeChange(finding));
    if (!written) {
      stdout.write("nothing written: fix the inputs first\n");
      return EXIT.findings;
    }
    const files = new Set(findings.map(({ file }) => file)).size;
    stdout.write(
      `golden outputs: ${formatCount(outputs, "file")}, ${files} changed in ${formatCount(findings.length, "place")}\n`,
    );
    return EXIT.ok;
  },
);

function describeChange({ file, line, message, detail }: Finding): string {
  const lines = detail === undefined ? [] : detail.split("\n").map((text) => `        ${text}`);
  return [`${file}:${line}  ${message}`, ...lines, ""].join("\n");
}

await runAsProgram(import.meta.url, run);
