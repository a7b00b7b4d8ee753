import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { RegisteredSchema } from "#generated/index.js";
import { sha256 } from "../../base/files/hash.js";
import type { readReleasedHashes } from "../schemas/releases.js";
import { parseVersion, printVersion } from "../schemas/version.js";
import { PUBLISHED_FILE } from "./canonical.js";
import { hasText } from "./hash-grade.js";

/** A published file that its owner has edited in place, or whose version has two texts. */
export interface EditedRelease {
  /** Index in the list of published files. */
  readonly at: number;
  readonly file: string;
  readonly message: string;
  /** What was published, if a hash of it is recorded. */
  readonly hash: string | undefined;
}

/**
 * The published versions of a schema that are not what was published: by the hashes that are recorded beside them, else
 * by that of the registry and by the schema of the same version.
 */
export function findEdited(
  root: string,
  { name, version, file: present, released, hashes }: RegisteredSchema,
  recorded: ReturnType<typeof readReleasedHashes>,
): EditedRelease[] {
  return released.flatMap((file, at) => {
    const text = readText(root, file);
    const number = printVersion(parseVersion(PUBLISHED_FILE.exec(file)?.[1] ?? ""));
    const isPresent = number === version;
    const sum = recorded.get(file)?.hash;
    const hash = sum ?? (isPresent ? hashes?.bytes : undefined);
    const isKept = hash === undefined || hasText(text, hash);
    const isTwofold = isPresent && !hasText(readText(root, present), sha256(text));
    if (isTwofold && (isKept || sum === undefined)) {
      const message = `${present} and ${file} are both ${name} ${number}, and differ: restore the one that was edited, or raise the version`;
      return [{ at, file, message, hash: sum === undefined ? hash : undefined }];
    }
    if (isKept) return [];
    const message = `${file} was published as ${name} ${number}, and has changed since: restore it, and publish a new version`;
    return [{ at, file, message, hash }];
  });
}

function readText(root: string, file: string): string {
  return readFileSync(join(root, file), "utf8");
}
