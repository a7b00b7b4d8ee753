import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isJsonObject } from "../../src/base/json/value.js";
import { toPage } from "../../src/base/package.js";
import { EXIT, UserError } from "../../src/base/user-error.js";

/** Who publishes the packages, and where: fields of package.json, which the Python package repeats. */
export interface Publisher {
  readonly version: string;
  readonly author: string;
  /** Absent if the author gives none. */
  readonly email: string | undefined;
  /** The page of the repository, without a slash at the end. */
  readonly repository: string;
}

/** Reads package.json in the folder `root`. Throws UserError for a field that is missing or not a text. */
export function readPublisher(root: string): Publisher {
  const manifest: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const read = (...keys: readonly string[]): string => {
    const value = at(manifest, keys);
    if (typeof value === "string") return value;
    throw new UserError(`package.json: /${keys.join("/")} must be a text`, EXIT.findings);
  };
  return {
    version: read("version"),
    author: read("author", "name"),
    email: at(manifest, ["author", "email"]) === undefined ? undefined : read("author", "email"),
    repository: toPage(read("repository", "url")),
  };
}

function at(value: unknown, keys: readonly string[]): unknown {
  return keys.reduce((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}
