import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { refsOf } from "../../src/contract/codegen/definitions.js";
import { redefineMultiples } from "../../src/contract/compat/ajv/ajv.js";
import {
  type Containment,
  ContainmentCheck,
  ContainmentContext,
} from "../../src/contract/compat/containment.js";
import { type SchemaLocation, SchemaSet } from "../../src/contract/compat/schema/schema-set.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import { mapSubschemas, type SchemaNode } from "../../src/contract/schemas/nodes.js";
import type { Swap } from "../judge.js";

/** Whether some record is valid under one of two schemas and not under the other. */
export type Distinction =
  | { readonly kind: "record"; readonly record: unknown }
  /** No record is. */
  | { readonly kind: "none" }
  | { readonly kind: "unknown"; readonly because: string };

/**
 * Looks for a record of the type, or a value of the node, that tells definitions from the same with another node: the solver of
 * `diff` finds one, or proves that there is none. One that only the mutant accepts comes first if `isLooser`.
 */
export function distinguish(
  type: string | SchemaNode,
  swap: Swap,
  isLooser: boolean,
  definitions: Definitions,
): Distinction {
  const context = new ContainmentContext();
  const original = locate(type, definitions);
  const mutant = locate(type, definitions, swap);
  const ask = (writer: SchemaLocation, reader: SchemaLocation): Containment => {
    const rejected = { kind: "schema", location: reader, holds: false } as const;
    return new ContainmentCheck(writer, reader, context).checkWhere(rejected, true);
  };
  const first = isLooser ? ask(mutant, original) : ask(original, mutant);
  if (first.verdict === "breaking") return { kind: "record", record: first.witness };
  const second = isLooser ? ask(original, mutant) : ask(mutant, original);
  if (second.verdict === "breaking") return { kind: "record", record: second.witness };
  const undecided = [first, second].find(({ verdict }) => verdict === "undecided");
  if (undecided?.verdict !== "undecided") return { kind: "none" };
  return { kind: "unknown", because: undecided.because };
}

/** Some valid record of a type; undefined if there is none, or none is found. */
export function solveType(type: string, definitions: Definitions): Distinction {
  const node = definitionOf(type, definitions).node;
  return distinguish(type, { node, mutant: { not: {} } }, false, definitions);
}

/** An Ajv with all definitions, by these. */
const instances = new WeakMap<Definitions, Ajv2020>();

/** The validator of Ajv for a type. */
export function validatorByAjv(type: string, definitions: Definitions): ValidateFunction {
  const known = instances.get(definitions);
  const ajv = known ?? createAjv();
  if (known === undefined) {
    ajv.addSchema({ $id: DOCUMENT, $defs: toDefs([...definitions.keys()], definitions) });
    instances.set(definitions, ajv);
  }
  const validate = ajv.getSchema(`${DOCUMENT}${toRef(type)}`);
  if (validate === undefined) throw new Error(`there is no definition ${type}`);
  return validate;
}

/** An Ajv with the verdicts of the generated validators. It takes unusual schemas, such as a bound without a type. */
export function createAjv(): Ajv2020 {
  // Metaschemas were asked when the schemas were loaded.
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    ownProperties: true,
    validateSchema: false,
  });
  addFormats.default(ajv);
  redefineMultiples(ajv);
  return ajv;
}

const DOCUMENT = "urn:rollout-wire:definitions";

/** A definition or a node in a document of its own, with all to which it refers. */
function locate(type: string | SchemaNode, definitions: Definitions, swap?: Swap): SchemaLocation {
  const set = new SchemaSet({ format: "assert" });
  const [refs, schema] =
    typeof type === "string"
      ? [[type], { $ref: toRef(type) }]
      : [refsOf(type), createConverter(swap)(type)];
  const root = set.add({ ...schema, $defs: toDefs(refs, definitions, swap) }, DOCUMENT);
  return typeof type === "string" ? set.resolve(root, toRef(type)) : root;
}

const toRef = (name: string): string => `#/$defs/${name}`;

/** Definitions, and all to which they refer, as those of one document. */
function toDefs(
  names: Iterable<string>,
  definitions: Definitions,
  swap?: Swap,
): Record<string, SchemaNode> {
  const $defs: Record<string, SchemaNode> = {};
  const convert = createConverter(swap);
  const enter = (name: string): void => {
    if (Object.hasOwn($defs, name)) return;
    const { node } = definitionOf(name, definitions);
    $defs[name] = convert(node);
    for (const ref of refsOf(node)) enter(ref);
  };
  for (const name of names) enter(name);
  return $defs;
}

/** Converts nodes to schemas of that document. */
function createConverter(swap?: Swap): (node: SchemaNode) => SchemaNode {
  const convert = (node: SchemaNode): SchemaNode => {
    const given = swap?.node === node ? swap.mutant : node;
    const { $ref, $id: _, $schema: _dialect, ...rest } = mapSubschemas(given, convert);
    return $ref === undefined ? rest : { ...rest, $ref: toRef($ref) };
  };
  return convert;
}
