import { statSync } from "node:fs";
import { join } from "node:path";
import { alignColumns, formatBytes, formatCount } from "../src/base/text.js";
import { EXIT } from "../src/base/user-error.js";
import { type Artefacts, buildArtefacts, verifyArtefacts } from "./publish/artefacts.js";
import { publishToNpm, rehearseNpm } from "./publish/npm.js";
import { readPublisher } from "./publish/publisher.js";
import { REQUIREMENTS } from "./publish/requirements.js";
import { createScript, runAsProgram } from "./run-script.js";

// What is published is what a rehearsal built and was looked at: this program does not build and publish in one run.
// The Python packages and the page of the release follow in .github/workflows/release.yml, with tools of their own.
export const run = createScript(
  {
    name: "release:package",
    summary:
      "Publishes the npm package that the last rehearsal built. A rehearsal (--dry-run) checks what a release needs, and builds tarball, wheels, sdists, hashes and notes.",
    options: [["--dry-run", "publish nothing; check, build, and rehearse the upload"]],
  },
  async (options, { root, stdout, env }) => {
    const isRehearsal = options.dryRun === true;
    const publisher = readPublisher(root);
    const { version } = publisher;
    const missing = REQUIREMENTS.flatMap(({ id, find }) =>
      find({ root, publisher, env, isRehearsal }).map((line) => `${line}   (${id})\n`),
    );
    if (missing.length > 0) {
      for (const line of missing) stdout.write(line);
      stdout.write(`nothing published: ${formatCount(missing.length, "thing")} to do first\n`);
      return EXIT.findings;
    }
    stdout.write(`${version}: ${formatCount(REQUIREMENTS.length, "requirement")} met\n`);
    if (isRehearsal) {
      const artefacts = await buildArtefacts(root, version);
      stdout.write(describe(root, artefacts));
      await rehearseNpm(root, artefacts.tarball, env);
      stdout.write(`nothing published. Next: git tag v${version} && git push origin v${version}\n`);
      return EXIT.ok;
    }
    await publishToNpm(root, verifyArtefacts(root, version).tarball, env);
    stdout.write(`published rollout-wire ${version} to npm\n`);
    return EXIT.ok;
  },
);

function describe(root: string, artefacts: Artefacts): string {
  const rows = Object.values(artefacts).map((file) => [
    `  ${file}`,
    formatBytes(statSync(join(root, file)).size),
  ]);
  return alignColumns(rows)
    .map((line) => `${line}\n`)
    .join("");
}

await runAsProgram(import.meta.url, run);
