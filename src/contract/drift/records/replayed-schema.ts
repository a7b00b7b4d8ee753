import { locateInText } from "../../../base/findings/finding.js";
import { isJsonObject } from "../../../base/json/value.js";
import type { BrokenKeyword } from "../../compat/ajv/ajv.js";
import { validatorOf } from "../../compat/ajv/ajv.js";
import type { LoadedVersion } from "../../compat/load-version.js";
import { toOriginalPointer } from "../../compat/schema/dialects.js";
import type { SchemaLocation } from "../../compat/schema/schema-set.js";
import { isCollection, listNamedTypes, type NamedType } from "../../schemas/named-types.js";
import { locateType, type RecordType } from "./record-types.js";

/** What a schema says of a record: whether it is valid, undefined if Ajv cannot tell, and its first error. */
export interface Verdict {
  readonly isValid: boolean | undefined;
  readonly error: () => BrokenKeyword | undefined;
}

interface ReplayedOptions {
  /** Its name for messages. */
  readonly name: string;
  /** Name of the schema that it is a copy of. */
  readonly schema: string;
  readonly version: LoadedVersion;
  /** The only record type that it describes, if it is one type. */
  readonly type?: string | undefined;
  /** Whether every record is meant to be of it, so that one of a type that it does not describe is invalid. */
  readonly isDemanded?: boolean;
}

/** The error of a record that is of no type of the schema. */
const NO_TYPE: BrokenKeyword = {
  ...{ pointer: "", keyword: "no-type", location: undefined },
  message: "must be of a record type that the schema describes",
  cause: "must be of a record type that the schema describes",
};

/** A schema on which records are replayed: a version, a copy or a fork. */
export class ReplayedSchema {
  readonly name: string;
  readonly schema: string;
  /** Records that were replayed on it, and those that it rejected. */
  records = 0;
  rejected = 0;
  readonly #version: LoadedVersion;
  readonly #type: string | undefined;
  readonly #isDemanded: boolean;
  readonly #named: readonly NamedType[];
  readonly #places = new Map<RecordType, SchemaLocation | undefined>();

  constructor({ name, schema, version, type, isDemanded = false }: ReplayedOptions) {
    this.name = name;
    this.schema = schema;
    this.#version = version;
    this.#type = type;
    this.#isDemanded = isDemanded;
    this.#named = listNamedTypes(version.document.schema, "");
  }

  /** Its verdict on a record of that type; undefined if it does not describe the type. */
  judge(record: unknown, type: RecordType | undefined): Verdict | undefined {
    const place = type === undefined ? this.#union() : this.#placeOf(type);
    if (place === undefined) {
      return this.#isDemanded ? { isValid: false, error: () => NO_TYPE } : undefined;
    }
    const isValid = validatorOf(place).isValid(record);
    this.records += 1;
    if (isValid === false) this.rejected += 1;
    return { isValid, error: () => findError(place, record) };
  }

  /** Where the keyword of an error stands: file, line and column, and the keyword. */
  placeOf({ location, keyword }: BrokenKeyword): string {
    const { source, document } = this.#version;
    if (location === undefined || location.uri !== document.uri) return `${this.name}  ${keyword}`;
    const pointer = toOriginalPointer(document.schema, `${location.pointer}/${keyword}`);
    const { line, column } = locateInText(source.text, pointer);
    return `${this.name}:${line}:${column}  ${pointer}`;
  }

  #placeOf(type: RecordType): SchemaLocation | undefined {
    if (!this.#places.has(type)) this.#places.set(type, this.#findPlace(type));
    return this.#places.get(type);
  }

  #findPlace(type: RecordType): SchemaLocation | undefined {
    const { root } = this.#version;
    if (this.#type !== undefined) return type.kinds.includes(this.#type) ? root : undefined;
    const same = this.#named.find(({ name, pointer }) => name === type.name && pointer !== "");
    const place = same && locateType(this.#version, same);
    // Ajv may compile a schema, but not a definition that it does not use.
    if (place !== undefined && validatorOf(place).problem === undefined) return place;
    return this.#union();
  }

  /** The whole schema, if it is for records of several types; else it would reject those of all others. */
  #union(): SchemaLocation | undefined {
    const { root } = this.#version;
    return this.#type === undefined && !isCollection(root.schema) ? root : undefined;
  }
}

/** The first error, in a union that of the member with the fewest errors: the one that was meant. */
function findError(place: SchemaLocation, record: unknown): BrokenKeyword | undefined {
  const members = listMembers(place).map((member) => validatorOf(member).errorsOf(record));
  const [closest] = members
    .filter((errors) => errors.length > 0)
    .sort((one, other) => one.length - other.length);
  const [error] = closest ?? validatorOf(place).errorsOf(record);
  return error;
}

function listMembers({ schema, set, ...rest }: SchemaLocation): SchemaLocation[] {
  if (typeof schema === "boolean") return [];
  return ["anyOf", "oneOf"].flatMap((keyword) => {
    const members: unknown[] = Array.isArray(schema[keyword]) ? schema[keyword] : [];
    return members.flatMap((member) => {
      if (!isJsonObject(member) || typeof member.$ref !== "string") return [];
      const found = set.tryToResolve({ schema, set, ...rest }, member.$ref);
      return found === undefined || found === "ambiguous" ? [] : [found];
    });
  });
}
