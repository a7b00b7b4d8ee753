import { formatCheckOf } from "../src/contract/codegen/formats.js";
import type { Fault, Formats } from "../src/contract/codegen/typescript/runtime/faults.js";
import { findFaults } from "../src/contract/codegen/typescript/runtime/faults.js";
import { isDate, isDateTime, isTime } from "../src/contract/codegen/typescript/runtime/formats.js";
import type { Definition } from "../src/contract/codegen/typescript/runtime/members.js";
import { type Definitions, definitionOf } from "../src/contract/schemas/definitions.js";
import { mapSubschemas, type SchemaNode } from "../src/contract/schemas/nodes.js";

/** A schema node and its replacement. */
export interface Swap {
  readonly node: SchemaNode;
  readonly mutant: SchemaNode;
}

/**
 * Judges values by definitions as data: the interpreter of generated validators, without any generated code. The patterns of
 * the definitions must be harmless, as those of the profile are.
 */
export class Judge {
  readonly #definitions: Definitions;
  readonly #data = new Map<SchemaNode, Record<string, unknown>>();
  readonly #targets = new Map<string, Definition>();
  readonly #formats: Record<string, (text: string) => boolean> = {};

  constructor(definitions: Definitions) {
    this.#definitions = definitions;
  }

  /** All faults of a value of the type, each once; empty if it is valid. Throws an Error if there is no such definition. */
  findFaults(type: string, value: unknown): readonly Fault[] {
    return findFaults(this.#targetOf(type), value, this.#formats satisfies Formats);
  }

  /** The failures of a value of the type, each as `pointer keyword`. */
  failuresOf(type: string, value: unknown): Set<string> {
    return new Set(
      this.findFaults(type, value).map(({ pointer, keyword }) => `${pointer} ${keyword}`),
    );
  }

  /** What `run` returns while another node stands in place of one. */
  under<Result>({ node, mutant }: Swap, run: () => Result): Result {
    const data = this.#dataOf(node);
    const before = { ...data };
    try {
      this.#replace(data, () => this.#fill(data, mutant));
      return run();
    } finally {
      this.#replace(data, () => Object.assign(data, before));
    }
  }

  #replace(data: Record<string, unknown>, fill: () => void): void {
    for (const key of Object.keys(data)) delete data[key];
    fill();
  }

  #targetOf(name: string): Definition {
    const known = this.#targets.get(name);
    if (known !== undefined) return known;
    const { node } = definitionOf(name, this.#definitions);
    // No guard is compiled: the interpreter always walks the node.
    const target = { name, node: this.#dataOf(node), is: () => false, isRecursive: true };
    this.#targets.set(name, target);
    return target;
  }

  #dataOf(node: SchemaNode): Record<string, unknown> {
    const known = this.#data.get(node);
    if (known !== undefined) return known;
    const data: Record<string, unknown> = {};
    this.#data.set(node, data);
    this.#fill(data, node);
    return data;
  }

  #fill(data: Record<string, unknown>, node: SchemaNode): void {
    Object.assign(
      data,
      mapSubschemas(node, (child) => this.#dataOf(child)),
    );
    const { $ref, format } = node;
    if ($ref !== undefined) data.$ref = () => this.#targetOf($ref);
    if (format !== undefined) this.#formats[format] ??= toFormat(format);
  }
}

const FUNCTIONS = { date: isDate, time: isTime, "date-time": isDateTime };

/** The verdict on texts of a format, as generated validators have it. What they cannot assert accepts every text. */
function toFormat(format: string): (text: string) => boolean {
  const check = formatCheckOf(format);
  if (check === undefined) return () => true;
  return check instanceof RegExp ? (text) => check.test(text) : FUNCTIONS[check];
}
