import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { packageVersion } from "../src/base/package.js";
import { EXIT } from "../src/base/user-error.js";
import { loadCommands } from "../src/cli/commands/index.js";
import { printManPage } from "../src/cli/man-page.js";
import { createScript, runAsProgram } from "./run-script.js";

/** Named in package.json, so that npm installs it. */
export const MAN_PAGE = "dist/man/rollout-wire.1";

export const run = createScript(
  {
    name: "write-man-page",
    summary: `Writes the man page into ${MAN_PAGE}, from what --help prints.`,
    options: [],
  },
  async (_options, { root }) => {
    const file = join(root, MAN_PAGE);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, printManPage(await loadCommands(), packageVersion()));
    return EXIT.ok;
  },
);

await runAsProgram(import.meta.url, run);
