import { join } from "node:path";
import { DEV_TOOLS, ensurePythonEnv } from "../python-env.js";
import type { Adapter } from "./adapter.js";

/** Folder of the adapters' programs, from the repository's root. */
const FOLDER = "conformance/agreement/adapters";

/**
 * The four implementations of the checkout at `root`: the two that are generated, and two referees that
 * read the schemas themselves. The first is what the others are compared with.
 *
 * Throws UserError when the referees cannot be installed.
 */
export function createOwnAdapters(root: string): readonly [Adapter, ...Adapter[]] {
  const python = ensurePythonEnv(root, DEV_TOOLS);
  const create = (id: string, command: string, name: string, processes = 1): Adapter => {
    const file = `${FOLDER}/${name}`;
    const env = { PYTHONDONTWRITEBYTECODE: "1" };
    return { id, command, args: [join(root, file)], env, file, processes };
  };
  return [
    create("typescript", process.execPath, "typescript.mjs"),
    create("python", python, "python.py"),
    // It takes longer than all others together: it gets both cores of a small machine.
    create("jsonschema", python, "referee_jsonschema.py", 2),
    create("jsonschema-rs", python, "referee_jsonschema_rs.py"),
  ];
}
