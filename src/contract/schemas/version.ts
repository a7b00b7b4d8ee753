/** A version of a schema (semantic versioning). */
export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

/** Version bumps, from least to most. */
export const BUMPS = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof BUMPS)[number];

/** Parses `1.2.3`; missing parts are 0. Throws RangeError for any other text. */
export function parseVersion(text: string): Version {
  if (!/^\d+(\.\d+){0,2}$/.test(text)) throw new RangeError(`${text} is not a version`);
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return { major, minor, patch };
}

/** `1.2.3`. */
export function printVersion({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`;
}

/** The version after a bump. */
export function raiseVersion(version: Version, bump: Bump): Version {
  const { major, minor, patch } = version;
  if (bump === "major") return { major: major + 1, minor: 0, patch: 0 };
  if (bump === "minor") return { major, minor: minor + 1, patch: 0 };
  return bump === "patch" ? { major, minor, patch: patch + 1 } : version;
}

/** The bump from `version` to `next`; undefined if `next` does not directly follow. */
export function bumpBetween(version: Version, next: Version): Bump | undefined {
  return BUMPS.find((bump) => printVersion(raiseVersion(version, bump)) === printVersion(next));
}

/**
 * The version after a change that requires the bump `required`: `wanted` if that follows `last` by enough, else the
 * lowest sufficient one.
 */
export function nextVersion(
  last: Version,
  required: Bump,
  wanted: Version,
): { readonly bump: Bump; readonly version: Version } {
  const actual = bumpBetween(last, wanted);
  const bump = actual !== undefined && covers(actual, required) ? actual : required;
  return { bump, version: raiseVersion(last, bump) };
}

/** Negative if `one` is before `other`, 0 if they are equal. */
export function compareVersionNumbers(one: Version, other: Version): number {
  return one.major - other.major || one.minor - other.minor || one.patch - other.patch;
}

/**
 * Whether a version is later than another. Only the numbers count: suffixes as in `1.0.0-rc.1` are ignored, and a text
 * without numbers is earlier than all.
 */
export function isLater(one: string, other: string): boolean {
  return compareVersionNumbers(parseVersion(numbersOf(one)), parseVersion(numbersOf(other))) > 0;
}

function numbersOf(text: string): string {
  return /^\d+\.\d+\.\d+/.exec(text)?.[0] ?? "0";
}

/** Whether a bump is at least another. */
export function covers(bump: Bump, wanted: Bump): boolean {
  return BUMPS.indexOf(bump) >= BUMPS.indexOf(wanted);
}
