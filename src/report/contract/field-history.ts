import type { JsonObject } from "../../json/value.js";
import { listDefinitions } from "./definitions.js";
import { describeFields } from "./describe-fields.js";

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

  /** The version since which a type, or its own field at `path`, has been there. */
  since(type: string, path?: string): string {
    const key = keyOf(type, path);
    const gap = this.#versions.findIndex(({ known }) => !known.has(key));
    const first = gap < 0 ? this.#versions.length - 1 : Math.max(0, gap - 1);
    return this.#versions[first]?.version ?? "";
  }
}

function listKnown(document: JsonObject): ReadonlySet<string> {
  const keys = listDefinitions(document).flatMap(({ name, node }) => {
    // Without what it inherits, which has a history of its own.
    const fields = describeFields({ node, link: { schema: "", name }, resolve: () => undefined });
    return [keyOf(name), ...fields.map(({ path }) => keyOf(name, path))];
  });
  return new Set(keys);
}

function keyOf(type: string, path?: string): string {
  return JSON.stringify([type, path]);
}
