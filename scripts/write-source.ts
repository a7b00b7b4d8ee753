import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { EXIT } from "../src/base/user-error.js";
import { findSourceCommit, PACKED_SOURCE } from "../src/contract/drift/sync/lock.js";
import { listArtefacts } from "../src/contract/schemas/artefacts.js";
import { readRegistry } from "../src/contract/schemas/registry.js";
import { createScript, runAsProgram } from "./run-script.js";

// The last step of a build: with this file, `sync` knows the commit of the copies even in a package. There is
// no commit if any file that may be copied is not committed.
export const run = createScript(
  {
    name: "write-source",
    summary: `Writes into ${PACKED_SOURCE} the commit of the package.`,
    options: [],
  },
  async (_options, { root }) => {
    const artefacts = readRegistry(root)
      .repositories.flatMap((repository) => repository.artefacts)
      .flatMap((artefact) => listArtefacts(root, artefact));
    const sources = [...new Set(["schema", ...artefacts.map(({ source }) => source)])];
    const file = join(root, PACKED_SOURCE);
    // The file of an earlier build does not apply to this one.
    rmSync(file, { force: true });
    const commit = findSourceCommit(root, sources);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ commit })}\n`);
    return EXIT.ok;
  },
);

await runAsProgram(import.meta.url, run);
