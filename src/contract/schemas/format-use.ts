import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { FormatUse } from "#generated/index.js";
import { isJsonObject, tryParseJson } from "../../base/json/value.js";
import { CONFIG_FILE, packageRoot } from "../../base/package.js";

/** What the configuration of this package says of its schemas. The package is published without it. */
export const OWN_FORMATS: FormatUse = "assert";

/**
 * Whether `format` is asserted in the schema files of one tree: as the nearest configuration in the folder of a file or
 * above says that has `schemas`. Without one, it is an annotation, as in draft 2020-12. A dialect may say that it is
 * asserted: see `loadVersion`.
 */
export class FormatUses {
  readonly #read: (path: string) => string | undefined;
  readonly #known = new Map<string, FormatUse>();

  /** `read` gives the text of a file of the tree; undefined if there is none. */
  constructor(read: (path: string) => string | undefined) {
    this.#read = read;
  }

  /** Of the schema file at a path. */
  of(path: string): FormatUse {
    const folder = dirname(path);
    const known = this.#known.get(folder);
    if (known !== undefined) return known;
    const file = folder === "." ? CONFIG_FILE : `${folder}/${CONFIG_FILE}`;
    const said = readFormats(this.#read(file));
    const found = said ?? (dirname(folder) === folder ? "annotate" : this.of(folder));
    this.#known.set(folder, found);
    return found;
  }
}

/** Undefined if it says nothing of schemas. A configuration that cannot be read is reported elsewhere. */
function readFormats(config: string | undefined): FormatUse | undefined {
  const value = tryParseJson(config ?? "");
  if (!isJsonObject(value) || !isJsonObject(value.schemas)) return undefined;
  return value.schemas.formats === "assert" ? "assert" : "annotate";
}

/** Whether `format` is asserted in a schema file on disk. `root`: the folder from which it is named. */
export function formatUseOf(root: string, file: string): FormatUse {
  const own = join(packageRoot(), CONFIG_FILE);
  const uses = new FormatUses((path) =>
    resolve(path) === own ? JSON.stringify({ schemas: { formats: OWN_FORMATS } }) : tryToRead(path),
  );
  return uses.of(resolve(root, file));
}

function tryToRead(path: string): string | undefined {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : undefined;
  } catch {
    return undefined;
  }
}

/** Two versions are compared with `format` asserted if it is in one of them. */
export function commonUse(...uses: readonly (FormatUse | undefined)[]): FormatUse {
  return uses.includes("assert") ? "assert" : "annotate";
}
