import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFiles } from "../src/base/files/staging.js";
import type { Finding } from "../src/base/findings/finding.js";
import { formatCount, today } from "../src/base/text.js";
import { EXIT } from "../src/base/user-error.js";
import { DEFAULT_MAX_ERRORS } from "../src/cli/options.js";
import { describeRelease, planReleases } from "./release/plan.js";
import { stageReleases } from "./release/stage.js";
import { createScript, runAsProgram } from "./run-script.js";

export const run = createScript(
  {
    name: "release:schema",
    summary:
      "Publishes every schema that has changed: freezes its bytes in schema/released when its version, the changelog, fixtures and the migration are there.",
    options: [["--dry-run", "write nothing; show what would be published, and what is missing"]],
  },
  async (options, { root, stdout }) => {
    const plan = await planReleases(root, today());
    for (const release of plan.releases) stdout.write(`${describeRelease(release)}\n`);
    for (const line of plan.shown) stdout.write(`${line}\n`);
    if (plan.releases.length === 0 && plan.findings.length === 0) {
      stdout.write("nothing to publish: every schema is what was last published\n");
      return EXIT.ok;
    }
    const staged = plan.releases.length > 0 ? await stageReleases(root, plan) : undefined;
    const findings = [...plan.findings, ...(staged?.findings ?? [])];
    if (staged === undefined || findings.length > 0) {
      const listed = findings.slice(0, DEFAULT_MAX_ERRORS);
      for (const finding of listed) stdout.write(describeMissing(finding));
      const rest = findings.length - listed.length;
      if (rest > 0) stdout.write(`... and ${rest} more\n`);
      stdout.write(`nothing written: ${formatCount(findings.length, "thing")} to do first\n`);
      return EXIT.findings;
    }
    const names = staged.files.map(({ path }) => `  ${path}\n`).join("");
    if (options.dryRun === true) {
      stdout.write(`would write\n${names}`);
      return EXIT.ok;
    }
    const files = staged.files.map(({ path, text }) => ({
      path: join(root, path),
      chunks: [text],
    }));
    for (const { path } of files) mkdirSync(dirname(path), { recursive: true });
    await writeFiles(files);
    stdout.write(`written\n${names}`);
    return EXIT.ok;
  },
);

function describeMissing({ file, line, column, pointer, message, id, detail }: Finding): string {
  const place = `${file}:${line}:${column}${pointer === "" ? "" : `  ${pointer}`}`;
  const more = detail === undefined ? [] : detail.split("\n").map((text) => `        ${text}`);
  return [`${place}  ${message}   (${id})`, ...more, ""].join("\n");
}

await runAsProgram(import.meta.url, run);
