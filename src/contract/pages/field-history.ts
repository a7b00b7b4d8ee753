import type { JsonObject } from "../../base/json/value.js";
import { type Definition, listDefinitions } from "./definitions.js";
import { describeFields } from "./describe-fields.js";
import type { Target } from "./describe-type.js";

/** A version of a schema. */
interface Version {
  readonly version: string;
  readonly document: JsonObject;
}

/** Says in which version of a schema its types and fields appeared. */
export class FieldHistory {
  /** The newest first. */
  readonly #versions: readonly { readonly version: string; readonly known: ReadonlySet<string> }[];

  /** `versions`: the newest first. */
  constructor(versions: readonly Version[]) {
    this.#versions = versions.map(({ version, document }) => ({
      version,
      known: listKnown(document),
    }));
  }

  /** The version since which a type, or its field at `path`, has been there. */
  since(type: string, path?: string): string {
    const key = keyOf(type, path);
    const gap = this.#versions.findIndex(({ known }) => !known.has(key));
    const first = gap < 0 ? this.#versions.length - 1 : Math.max(0, gap - 1);
    return this.#versions[first]?.version ?? "";
  }
}

function listKnown(document: JsonObject): ReadonlySet<string> {
  const definitions = listDefinitions(document);
  const toTarget = ({ name, node }: Definition): Target => ({
    ...{ node, link: { schema: "", name } },
    // What a type inherits from another schema has its history there.
    resolve: (reference) => {
      const found = definitions.find(({ pointer }) => `#${pointer}` === reference);
      return found && toTarget(found);
    },
  });
  const keys = definitions.flatMap((definition) => {
    const { name } = definition;
    const fields = describeFields(toTarget(definition));
    return [keyOf(name), ...fields.map(({ path }) => keyOf(name, path))];
  });
  return new Set(keys);
}

function keyOf(type: string, path?: string): string {
  return JSON.stringify([type, path]);
}
