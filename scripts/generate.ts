import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT } from "../src/base/user-error.js";
import { compareFiles, type Difference } from "../src/contract/codegen/compare-files.js";
import { GENERATED_FOLDER } from "../src/contract/codegen/files.js";
import { generateFiles } from "../src/contract/codegen/generate-files.js";
import { REGISTRY_FILE } from "../src/contract/schemas/registry-file.js";
import { printFingerprint } from "./fingerprint.js";
import { createScript, runAsProgram } from "./run-script.js";

const FIX = "npm run generate";

export const run = createScript(
  {
    name: "generate",
    summary: "Writes all code in generated/ from the schemas in schema/.",
    options: [["--check", "write nothing; exit 1 and show the lines when a file is not fresh"]],
  },
  async (options, { root, stdout }) => {
    const { files, schemaCount, unregistered } = await generateFiles(root);
    for (const file of unregistered) {
      stdout.write(`${file} is not in ${REGISTRY_FILE}: add it with its owner and users\n`);
    }
    const differences = compareFiles(root, GENERATED_FOLDER, files);
    if (options.check === true) {
      for (const difference of differences) stdout.write(`${describe(difference)}\n`);
      if (differences.length > 0) {
        stdout.write(
          `${differences.length} of ${files.length} generated files are not fresh.  Fix:  ${FIX}\n`,
        );
        return EXIT.findings;
      }
    } else {
      const texts = new Map(files.map(({ path, text }) => [path, text]));
      for (const { path } of differences) {
        // Removed first in any case, because writing would follow a link.
        rmSync(join(root, path), { force: true });
        const text = texts.get(path);
        if (text === undefined) continue;
        mkdirSync(dirname(join(root, path)), { recursive: true });
        writeFileSync(join(root, path), text);
      }
      const fingerprint = await printFingerprint(root, files);
      rmSync(join(root, fingerprint.path), { force: true });
      writeFileSync(join(root, fingerprint.path), fingerprint.text);
    }
    const verb = options.check === true ? "fresh" : `${differences.length} changed`;
    const code = files.filter(({ path }) => path.startsWith(`${GENERATED_FOLDER}/`)).length;
    const printed = `${code} files from ${schemaCount} schemas, and ${files.length - code} lists of their hashes`;
    stdout.write(`generated code: ${printed}, ${verb}\n`);
    return EXIT.ok;
  },
);

function describe(difference: Difference): string {
  if (difference.kind === "differs") return difference.patch;
  if (difference.kind === "missing") return `${difference.path}: missing`;
  return `${difference.path}: unexpected, no schema generates it`;
}

await runAsProgram(import.meta.url, run);
