import { causeOfKind } from "../../base/findings/causes.js";
import type { RecordFault } from "../../base/findings/finding.js";
import { requireValidator } from "../compat/ajv/ajv.js";
import { pairEntryPoints } from "../compat/entry-points.js";
import type { LoadedVersion } from "../compat/load-version.js";
import type { SchemaLocation } from "../compat/schema/schema-set.js";

/** Follows the record types of a schema from a version to a later one. */
export class RecordTypes {
  readonly #first: ReadonlyMap<string, SchemaLocation>;
  readonly #last: ReadonlyMap<string, SchemaLocation>;
  /** The names of the types of the first version in the last one; undefined for a type that is gone. */
  readonly #names: ReadonlyMap<string, string | undefined>;

  /** `versions` are consecutive; a single one is both the first and the last. */
  constructor(versions: readonly [LoadedVersion, ...LoadedVersion[]]) {
    const [first] = versions;
    this.#first = typesOf(first);
    this.#last = typesOf(versions.at(-1) ?? first);
    let names = new Map<string, string | undefined>([...this.#first.keys()].map((n) => [n, n]));
    for (const [index, after] of versions.entries()) {
      const before = versions[index - 1];
      if (before === undefined) continue;
      const pairs = pairEntryPoints(before.root, after.root);
      const follow = (name: string | undefined): string | undefined =>
        pairs.find((pair) => pair.oldName === name && pair.old && pair.new)?.name;
      names = new Map([...names].map(([name, now]) => [name, follow(now)]));
    }
    this.#names = names;
  }

  /** The types of the first version as which a value is valid. */
  find(value: unknown): string[] {
    return [...this.#first]
      .filter(([, location]) => requireValidator(location).isValid(value) === true)
      .map(([name]) => name);
  }

  /**
   * The faults of a value that was of these types in the first version and must be of the same types in the last one. If
   * none of them is left, any type will do.
   */
  check(value: unknown, types: readonly string[]): readonly RecordFault[] {
    const wanted = types.flatMap((type) => this.#names.get(type) ?? []);
    if (wanted.length === 0) return this.#checkAny(value);
    // One type is enough for the report: types that extend each other fail the same way.
    const all = wanted.map((type) => findFaults(value, type, this.#last.get(type)));
    return all.find((faults) => faults.length > 0) ?? [];
  }

  /** The faults under the type that the value comes closest to; none if it is valid under any. */
  #checkAny(value: unknown): readonly RecordFault[] {
    const all = [...this.#last].map(([type, location]) => findFaults(value, type, location));
    const [nearest = []] = all.toSorted((one, other) => one.length - other.length);
    return nearest;
  }
}

function typesOf({ root }: LoadedVersion): ReadonlyMap<string, SchemaLocation> {
  const pairs = pairEntryPoints(root, root);
  return new Map(
    pairs.flatMap(({ name, new: type }) => (type === undefined ? [] : [[name, type]])),
  );
}

function findFaults(
  value: unknown,
  type: string,
  location: SchemaLocation | undefined,
): readonly RecordFault[] {
  if (location === undefined) return [];
  const validator = requireValidator(location);
  if (validator.isValid(value) === true) return [];
  const place = type === "" ? "" : ` as ${type}`;
  const errors = validator.errorsOf(value);
  if (errors.length === 0) {
    return [
      { id: "schema", severity: "error", pointer: "", message: `cannot be validated${place}` },
    ];
  }
  return errors.map(({ keyword, pointer, message, cause }) => {
    return {
      id: keyword,
      severity: "error",
      pointer,
      message: `not valid${place}: ${message}`,
      cause: causeOfKind(place, cause),
    };
  });
}
