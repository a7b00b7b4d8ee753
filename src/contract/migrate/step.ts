import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import { packageRoot } from "../../base/package.js";
import type { VersionComparison } from "../compat/compare-versions.js";
import type { LoadedVersions } from "../compat/findings.js";
import { findRegistered, readSchemaId } from "../compat/versions/schema-id.js";
import { isIdOf } from "../schemas/schema-id.js";

/** A major version of a schema, written `rollout-wire/v2`. */
export interface MajorVersion {
  readonly name: string;
  readonly major: number;
}

const ID = /^([a-z0-9-]+)\/v([1-9]\d{0,5})$/;

/** Reads `rollout-wire/v2`; undefined for any other text. */
export function parseMajor(text: string): MajorVersion | undefined {
  const [, name, major] = ID.exec(text) ?? [];
  return name === undefined ? undefined : { name, major: Number(major) };
}

export function printMajor({ name, major }: MajorVersion): string {
  return `${name}/v${major}`;
}

/** The step from one major version of a schema to the next. */
export interface UpcasterStep {
  readonly schema: string;
  /** The older major version; the newer one is the next. */
  readonly from: number;
}

/**
 * Upgrades one record: a pure function that returns a record of the next major version, with the fields that it does not
 * know. Throws Error, with the reason, if the record cannot be upgraded.
 */
export type Upcast = (record: JsonObject) => JsonObject;

/** `rollout-wire-v1-v2`. */
export function nameStep({ schema, from }: UpcasterStep): string {
  return `${schema}-v${from}-v${from + 1}`;
}

/** The source of an upcaster, from the repository's root: `schema/upcasters/rollout-wire-v1-v2.ts`. */
export function toUpcasterFile(step: UpcasterStep): string {
  return `schema/upcasters/${nameStep(step)}.ts`;
}

/** Whether this program was compiled: then the upcasters are too, beside it in `dist`. */
const IS_COMPILED = extname(fileURLToPath(import.meta.url)) === ".js";

function toPath(root: string, step: UpcasterStep): string {
  const file = toUpcasterFile(step);
  return IS_COMPILED ? join(root, "dist", file.replace(/ts$/, "js")) : join(root, file);
}

/** Whether the package or checkout at `root` has the upcaster of a step. */
export function hasUpcaster(root: string, step: UpcasterStep): boolean {
  return existsSync(toPath(root, step));
}

/** Loads the upcaster of a step, which exists. Returns the problem if it exports no function `upcast`. */
export async function loadUpcaster(
  root: string,
  step: UpcasterStep,
): Promise<{ readonly upcast: Upcast } | { readonly problem: string }> {
  try {
    const { upcast } = await import(pathToFileURL(toPath(root, step)).href);
    return typeof upcast === "function"
      ? { upcast }
      : { problem: "exports no function upcast(record)" };
  } catch (error) {
    return { problem: `cannot be loaded: ${describeReason(error)}` };
  }
}

/** What an upcaster returned, or why it returned no record. */
export function tryUpcast(
  upcast: Upcast,
  record: JsonObject,
): { readonly record: JsonObject } | { readonly problem: string } {
  try {
    const made: unknown = upcast(record);
    // Its rejection would end the program.
    if (made instanceof Promise) made.catch(() => {});
    else if (isJsonObject(made)) return { record: { ...made } };
    return { problem: "returns no record" };
  } catch (error) {
    return { problem: describeReason(error) };
  }
}

function describeReason(error: unknown): string {
  const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  return reason;
}

/**
 * What upgrades the records of an older major version of a schema of this package, or which upcasters are missing, in
 * lines; "" if nothing has to be upgraded.
 */
export function describeUpcasters(
  { bump }: VersionComparison,
  { old: older, new: newer }: LoadedVersions,
): string {
  const [before, after] = [readSchemaId(older), readSchemaId(newer)];
  if (before === undefined || after === undefined || bump !== "major") return "";
  const entry = findRegistered(after);
  if (entry === undefined || !isIdOf(entry, before) || before.major >= after.major) return "";
  const { name: schema } = entry;
  const froms = Array.from({ length: after.major - before.major }, (_, at) => before.major + at);
  const missing = froms.filter((from) => !hasUpcaster(packageRoot(), { schema, from }));
  if (missing.length === 0) {
    return `upcaster: migrate --to ${schema}/v${after.major} upgrades the records.\n`;
  }
  const files = missing.map((from) => toUpcasterFile({ schema, from }));
  return `upcaster: ${files.join(", ")} missing; npm run upcaster:new writes it, with the witness as its first test.\n`;
}
