import { isDeepStrictEqual } from "node:util";
import { addTo } from "../../src/base/group-by.js";
import { toPointerToken } from "../../src/base/json/pointer.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import type { LinkedSchemas } from "../../src/contract/codegen/front/link-files.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { type Fixture, placeOf } from "../fixtures/fixture.js";
import { Judge, type Swap } from "../judge.js";
import { operators } from "./operators/index.js";
import type { Change } from "./operators/operator.js";
import { type Location, listLocations, recordsOf } from "./places.js";

/** A change of a schema constraint; includes equivalent ones. */
export interface Mutant {
  readonly location: Location;
  readonly keyword: string;
  readonly direction: Direction;
  readonly change: Change;
  /** JSON Pointer to the constraint in the schema's file. */
  readonly pointer: string;
}

/** Schemas in normal form, and where their owner wrote what is in them. */
export type MutatedSchemas = Pick<LinkedSchemas, "definitions" | "placeOf">;

/** Every mutant of every definition, in the order of the files. */
export function createMutants({ definitions, placeOf }: MutatedSchemas): Mutant[] {
  return listLocations(definitions).flatMap((location) =>
    operators.flatMap(({ keyword, loosen, tighten }) => {
      const toMutant =
        (direction: Direction) =>
        (change: Change): Mutant => {
          const { pointer } = placeOf(location.node, ...change.at);
          return { location, keyword, direction, change, pointer };
        };
      return [
        ...loosen(location.node, definitions).map(toMutant("loosened")),
        ...tighten(location.node, definitions).map(toMutant("tightened")),
      ];
    }),
  );
}

/** A value's place in a record; undefined is the record itself. Most places are never printed. */
export interface Place {
  readonly parent: Place | undefined;
  readonly token: string | number;
}

/** The JSON Pointer of a place. */
export function toPointer(place: Place | undefined): string {
  if (place === undefined) return "";
  return `${toPointer(place.parent)}/${toPointerToken(String(place.token))}`;
}

/** Called for every pair of a node and a value that it may apply to, with the value's place. */
export type OnVisit = (node: SchemaNode, place: Place | undefined) => void;

/**
 * Visits every pair of a node and a value that it may apply to, for `value` under `node`: whatever the verdict of another
 * node is. Each pair once, so the time does not depend on the number of paths.
 */
export function visitNodes(
  start: readonly SchemaNode[],
  value: unknown,
  definitions: Definitions,
  onVisit: OnVisit,
  place?: Place,
): void {
  const nodes = new Set<SchemaNode>();
  const enter = (node: SchemaNode): void => {
    if (nodes.has(node)) return;
    nodes.add(node);
    for (const other of inPlaceOf(node, definitions)) enter(other);
  };
  for (const node of start) enter(node);
  for (const node of nodes) onVisit(node, place);
  const visit = (token: string | number, inner: unknown): void => {
    const below = [...nodes].flatMap((node) => nodesBelow(node, token));
    if (below.length > 0) visitNodes(below, inner, definitions, onVisit, { parent: place, token });
  };
  if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(index, item);
  else if (isJsonObject(value)) for (const key of Object.keys(value)) visit(key, value[key]);
}

/** The nodes that apply to the same value, or to the names in it. */
function inPlaceOf(node: SchemaNode, definitions: Definitions): SchemaNode[] {
  const { $ref, allOf = [], anyOf = [], oneOf = [], dependentSchemas = {} } = node;
  const target = $ref === undefined ? undefined : definitionOf($ref, definitions).node;
  const single = [target, node.not, node.if, node.then, node.else, node.propertyNames];
  const others = [...allOf, ...anyOf, ...oneOf, ...Object.values(dependentSchemas)];
  return [...others, ...single.filter((each) => each !== undefined)];
}

/** The nodes that may apply to an item or a property. */
function nodesBelow(node: SchemaNode, token: string | number): SchemaNode[] {
  if (typeof token === "number") {
    const item = node.prefixItems?.[token] ?? node.items;
    return [item, node.contains].filter((each) => each !== undefined);
  }
  const { properties = {}, patternProperties = {}, additionalProperties: rest } = node;
  const patterns = Object.entries(patternProperties).filter(([pattern]) =>
    new RegExp(pattern, "u").test(token),
  );
  const own = Object.hasOwn(properties, token) ? properties[token] : undefined;
  const isExtra = own === undefined && patterns.length === 0;
  return [own, ...patterns.map(([, each]) => each), isExtra ? rest : undefined].filter(
    (each) => typeof each === "object",
  );
}

/** Splits a failure into pointer and keyword. */
export function splitFailure(failure: string): [pointer: string, keyword: string] {
  // A keyword contains no space; a pointer may.
  const space = failure.lastIndexOf(" ");
  return [failure.slice(0, space), failure.slice(space + 1)];
}

/** The parts of a fixture that the evaluator needs. */
export interface CheckedFixture
  extends Pick<Fixture, "kind" | "name" | "file" | "pointer" | "content" | "isBase"> {
  readonly type: string;
}

/** Whether a mutant accepts more than the schema, or less. */
export type Direction = "loosened" | "tightened";

/** A record of a fixture, with the schema's verdict. */
export interface CheckedRecord {
  readonly fixture: CheckedFixture;
  readonly record: unknown;
  /** Each as `pointer keyword`. */
  readonly failures: ReadonlySet<string>;
}

/** A record that reaches a node, and the pointers of the values in it that the node applies to. */
export interface Reach {
  readonly checked: CheckedRecord;
  readonly pointers: readonly [string, ...string[]];
}

/** Keywords by which a node that accepts more can make the whole accept less, or elsewhere. */
const INVERTING = ["anyOf", "oneOf", "not", "if", "contains"];

/** Validates fixtures against the schemas and their mutants. */
export class Evaluator {
  readonly definitions: Definitions;
  readonly #judge: Judge;
  /** Whether every node must hold: then a mutant affects no failure but those at its places and below. */
  readonly #isPlain: boolean;
  /** Fixtures by the nodes that may apply to a part of them: mutants of a node affect only these. */
  readonly #reaches = new Map<SchemaNode, Reach[]>();
  readonly #names = new Set<string>();
  /** Whether a record that the schema accepts is refused all the same, by rules beside it. */
  readonly breaksRule: (type: string, record: unknown) => boolean;

  constructor(
    fixtures: readonly CheckedFixture[],
    definitions: Definitions,
    breaksRule: Evaluator["breaksRule"] = () => false,
  ) {
    this.definitions = definitions;
    this.breaksRule = breaksRule;
    this.#judge = new Judge(definitions);
    this.#isPlain = !listLocations(definitions).some(({ node }) =>
      INVERTING.some((keyword) => keyword in node),
    );
    for (const fixture of fixtures) this.add(fixture);
  }

  /** Throws UserError if the schemas do not define the type of a fixture. */
  add(fixture: CheckedFixture): void {
    const { type, content } = fixture;
    const definition = this.definitions.get(type);
    if (definition === undefined) {
      const problem = `is of the type ${type}, which no schema defines`;
      throw new UserError(`${placeOf(fixture)} ${problem}`, EXIT.findings);
    }
    this.#names.add(`${type}/${fixture.name}`);
    for (const record of recordsOf(content)) {
      const checked = { fixture, record, failures: this.failuresOf(type, record) };
      const pointers = new Map<SchemaNode, [string, ...string[]]>();
      visitNodes([definition.node], record, this.definitions, (node, place) => {
        const pointer = toPointer(place);
        const known = pointers.get(node);
        if (known === undefined) pointers.set(node, [pointer]);
        else known.push(pointer);
      });
      for (const [node, places] of pointers) {
        addTo(this.#reaches, node, { checked, pointers: places });
      }
    }
  }

  /** Whether a fixture of the type has the name. */
  hasName(type: string, name: string): boolean {
    return this.#names.has(`${type}/${name}`);
  }

  /** The records with a value that a node may apply to. */
  reachesOf(node: SchemaNode): readonly Reach[] {
    return this.#reaches.get(node) ?? [];
  }

  /** A fixture of the type with the same record. */
  findTwin(type: string, record: unknown): CheckedFixture | undefined {
    const reaches = this.reachesOf(definitionOf(type, this.definitions).node);
    return reaches
      .map(({ checked }) => checked)
      .find((checked) => checked.fixture.type === type && isDeepStrictEqual(checked.record, record))
      ?.fixture;
  }

  failuresOf(type: string, record: unknown, swap?: Swap): Set<string> {
    const judge = this.#judge;
    if (swap === undefined) return judge.failuresOf(type, record);
    return judge.under(swap, () => judge.failuresOf(type, record));
  }

  /**
   * Whether a record tells a mutant from the schema: one that is invalid under one of them and valid under the other; or one
   * that fails differently where the mutant accepts more.
   */
  tells(type: string, record: unknown, failures: ReadonlySet<string>, mutant: MutantSwap): boolean {
    const mutated = this.failuresOf(type, record, mutant);
    if (failures.size === 0) return mutated.size > 0;
    if (mutant.direction === "tightened") return mutated.size === 0;
    return !isSameSet(failures, mutated);
  }

  /**
   * The first fixture that tells a mutant from the schema. A record that only violates semantic rules counts as valid.
   */
  findKiller(mutant: MutantSwap): CheckedFixture | undefined {
    return this.reachesOf(mutant.node).find((reach) => {
      const { fixture, record, failures } = reach.checked;
      return (
        (!this.#isPlain || canTell(reach, mutant.direction)) &&
        this.tells(fixture.type, record, failures, mutant)
      );
    })?.checked.fixture;
  }
}

/** A mutant in place of its node. */
export interface MutantSwap extends Swap {
  readonly direction: Direction;
}

/** Where every node must hold: a tighter one makes valid records fail, and a looser one affects failures at its places. */
function canTell({ checked: { failures }, pointers }: Reach, direction: Direction): boolean {
  if (direction === "tightened") return failures.size === 0;
  return [...failures].some((failure) =>
    pointers.some(
      (pointer) => failure.startsWith(`${pointer}/`) || failure.startsWith(`${pointer} `),
    ),
  );
}

export function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}
