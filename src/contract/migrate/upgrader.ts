import { withoutIndices } from "../../base/findings/causes.js";
import type { RecordFault } from "../../base/findings/finding.js";
import { printJson } from "../../base/json/print.js";
import { findDuplicateKeys, findUnsafeIntegers } from "../../base/json/text-faults.js";
import { findUnexportable } from "../../base/json/unexportable.js";
import { type JsonObject, measureValue } from "../../base/json/value.js";
import type { ParsedRecord } from "../../base/jsonl/reader.js";
import { escapeControls } from "../../base/text.js";
import { EXIT, UserError } from "../../base/user-error.js";
import { RecordTypes } from "./record-types.js";
import {
  hasUpcaster,
  loadUpcaster,
  type MajorVersion,
  nameStep,
  parseMajor,
  printMajor,
  toUpcasterFile,
  tryUpcast,
  type Upcast,
} from "./step.js";
import { SchemaVersions } from "./versions.js";

/** The outcome for one record. */
export type Upgraded =
  /** It is of the target version, and its bytes stay. */
  | { readonly kind: "current" }
  /** It was of the major version `from`, and is now this JSON text. */
  | { readonly kind: "upgraded"; readonly from: number; readonly text: string }
  | { readonly kind: "faulty"; readonly faults: readonly RecordFault[] };

export interface UpgradeOptions {
  /** The package or checkout with the schemas and their upcasters. */
  readonly root: string;
  readonly target: MajorVersion;
  /** The major version of records that name none. Default: the newest one that accepts the record. */
  readonly unnamed?: number | undefined;
}

/** Upgrades records of one schema to a major version, step by step. */
export class Upgrader {
  readonly target: MajorVersion;
  readonly #versions: SchemaVersions;
  readonly #unnamed: number | undefined;
  readonly #fields: ReadonlySet<string>;
  /** By the older major version. */
  readonly #upcasters: ReadonlyMap<number, Upcast>;
  readonly #types = new Map<number, RecordTypes>();

  private constructor(
    versions: SchemaVersions,
    { target, unnamed }: UpgradeOptions,
    upcasters: ReadonlyMap<number, Upcast>,
  ) {
    this.target = target;
    this.#versions = versions;
    this.#unnamed = unnamed;
    this.#fields = versions.findVersionFields();
    this.#upcasters = upcasters;
  }

  /**
   * Loads the schema and its upcasters. Throws UserError: exit 2 for a version that does not exist, exit 3 if a schema or
   * an upcaster cannot be loaded.
   */
  static async open(options: UpgradeOptions): Promise<Upgrader> {
    const { root, target, unnamed } = options;
    const versions = SchemaVersions.open(root, target.name);
    for (const major of [target.major, unnamed ?? target.major]) requireVersion(versions, major);
    if (unnamed !== undefined && unnamed > target.major) {
      const older = printMajor({ ...target, major: unnamed });
      throw new UserError(`${older} is newer than ${printMajor(target)}`, EXIT.usage);
    }
    const upcasters = new Map<number, Upcast>();
    for (let from = 1; from < target.major; from += 1) {
      const step = { schema: target.name, from };
      if (!hasUpcaster(root, step)) continue;
      const loaded = await loadUpcaster(root, step);
      if ("problem" in loaded) throw new UserError(`${toUpcasterFile(step)} ${loaded.problem}`);
      upcasters.set(from, loaded.upcast);
    }
    return new Upgrader(versions, options, upcasters);
  }

  /** Throws UserError (exit 3), with file and line, if there is no upcaster for a step that the record needs. */
  upgrade(line: ParsedRecord): Upgraded {
    const found = this.#findVersion(line.value);
    if ("problem" in found) return faulty([toFault("schema-version", found.problem, found.cause)]);
    const types = this.#typesFrom(found.from);
    if (found.from === this.target.major) {
      const faults = found.isValid ? [] : types.check(line.value, types.find(line.value));
      return faults.length === 0 ? { kind: "current" } : faulty(faults);
    }
    const steps = this.#requireSteps(found.from, line);
    const lossy = findLossy(line);
    if (lossy.length > 0) return faulty(lossy);
    // Before the first step: an upcaster may change its input.
    const known = types.find(line.value);
    let record = line.value;
    for (const [from, upcast] of steps) {
      const made = tryUpcast(upcast, record);
      if ("problem" in made) {
        const name = nameStep({ schema: this.target.name, from });
        return faulty([toFault("upcast", `${name}: ${made.problem}`)]);
      }
      record = made.record;
    }
    return this.#finish(found.from, record, known);
  }

  /** The version of a record, or why it has none. */
  #findVersion(
    record: JsonObject,
  ):
    | { readonly from: number; readonly isValid: boolean }
    | { readonly problem: string; readonly cause?: string } {
    const { target } = this;
    for (const field of this.#fields) {
      const value = Object.hasOwn(record, field) ? record[field] : undefined;
      const named = typeof value === "string" ? parseMajor(value) : undefined;
      if (named === undefined) continue;
      const said = `is of ${printMajor(named)}, which`;
      if (named.name !== target.name) {
        return { problem: `${said} is another schema than ${target.name}` };
      }
      if (!this.#versions.has(named.major)) return { problem: `${said} was never published` };
      if (named.major > target.major) {
        return { problem: `${said} is newer than ${printMajor(target)}` };
      }
      return { from: named.major, isValid: false };
    }
    if (this.#unnamed !== undefined) return { from: this.#unnamed, isValid: false };
    const known = this.#versions.majors.filter((major) => major <= target.major).toReversed();
    const from = known.find((major) => this.#typesFrom(major).find(record).length > 0);
    if (from !== undefined) return { from, isValid: true };
    const [nearest] = this.#typesFrom(target.major).check(record, []);
    const names = known.toReversed().map((major) => printMajor({ ...target, major }));
    const why = nearest ? `: ${nearest.message}` : "";
    return { problem: `is no record of ${names.join(" or ")}${why}`, cause: nearest?.cause };
  }

  #typesFrom(from: number): RecordTypes {
    const known = this.#types.get(from);
    if (known !== undefined) return known;
    const majors = this.#versions.majors.filter(
      (major) => major > from && major <= this.target.major,
    );
    const types = new RecordTypes([
      this.#versions.load(from),
      ...majors.map((major) => this.#versions.load(major)),
    ]);
    this.#types.set(from, types);
    return types;
  }

  #requireSteps(
    from: number,
    { file, line }: ParsedRecord,
  ): readonly (readonly [number, Upcast])[] {
    const { name, major } = this.target;
    return Array.from({ length: major - from }, (_, index) => from + index).map((each) => {
      const upcast = this.#upcasters.get(each);
      if (upcast !== undefined) return [each, upcast];
      const step = { schema: name, from: each };
      throw new UserError(
        `${file}:${line}: is of ${printMajor({ name, major: from })}, and the step ${nameStep(step)} has no upcaster (${toUpcasterFile(step)})`,
      );
    });
  }

  /** Prints an upgraded record; what is checked is what is printed. */
  #finish(from: number, record: JsonObject, types: readonly string[]): Upgraded {
    const text = tryPrint(record);
    if (text === undefined)
      return faulty([toFault("upcast", "upgraded, it cannot be printed as JSON")]);
    const value: unknown = JSON.parse(text);
    const faults = this.#typesFrom(from).check(value, types);
    if (faults.length === 0) return { kind: "upgraded", from, text };
    const to = printMajor(this.target);
    // Pointers are into the new record, which has no columns.
    return faulty(
      faults.map(({ id, pointer, message, cause = message }) => {
        const place = pointer === "" ? "" : ` at ${escapeControls(pointer)}`;
        const text = `upgraded to ${to}, it is ${message}${place}`;
        return toFault(id, text, `${cause} at ${withoutIndices(pointer)}`);
      }),
    );
  }
}

function requireVersion({ name, majors }: SchemaVersions, major: number): void {
  if (majors.includes(major)) return;
  const known = majors.map((each) => printMajor({ name, major: each })).join(", ");
  throw new UserError(
    `${printMajor({ name, major })}: no such version: this package has ${known}`,
    EXIT.usage,
  );
}

/** What printing the record anew would lose. */
function findLossy({ text, value }: ParsedRecord): readonly RecordFault[] {
  const measure = measureValue(value);
  const unexportable = findUnexportable(value, measure);
  const found = [
    ...(unexportable === undefined ? [] : [unexportable]),
    ...findDuplicateKeys({ text, measure }).map((fault) => ({ ...fault, id: "duplicate-key" })),
    ...findUnsafeIntegers({ text, measure }).map((fault) => ({ ...fault, id: "safe-integer" })),
  ];
  return found.map((fault) => ({ ...fault, severity: "error", cause: "" }));
}

/** Undefined for a record that contains itself, or would exceed the length of a string. */
function tryPrint(record: JsonObject): string | undefined {
  try {
    return printJson(record);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function faulty(faults: readonly RecordFault[]): Upgraded {
  return { kind: "faulty", faults };
}

function toFault(id: string, message: string, cause?: string): RecordFault {
  return { id, severity: "error", pointer: "", message: escapeControls(message), cause };
}
