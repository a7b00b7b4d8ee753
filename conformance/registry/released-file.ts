import { RELEASED_FOLDER } from "./released-hashes.js";
import { parseVersion, printVersion, type Version } from "./version.js";

const RELEASED_FILE = /^schema\/released\/([^/]+)\/v(\d+(?:\.\d+){0,2})\.schema\.json$/;

/** A published version of a schema. */
export interface Release {
  /** Name of the schema, such as `rollout-wire`. */
  readonly name: string;
  readonly version: Version;
  /** From the repository's root. */
  readonly file: string;
}

/** Where a version is published: 1.0.0 as `v1.schema.json`, 1.1.0 as `v1.1.schema.json`, 1.1.2 as `v1.1.2.schema.json`. */
export function toReleasedFile(name: string, version: Version): string {
  const short = printVersion(version).replace(/(\.0){1,2}$/, "");
  return `${RELEASED_FOLDER}/${name}/v${short}.schema.json`;
}

/** The version that a published file holds, by its name; undefined for one that is not called so. */
export function readReleasedFile(file: string): Release | undefined {
  const [, name, text] = RELEASED_FILE.exec(file) ?? [];
  if (name === undefined || text === undefined) return undefined;
  const version = parseVersion(text);
  return toReleasedFile(name, version) === file ? { name, version, file } : undefined;
}
