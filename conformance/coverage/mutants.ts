import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { addTo } from "../../src/base/group-by.js";
import { toPointerToken } from "../../src/base/json/pointer.js";
import { isJsonObject } from "../../src/base/json/value.js";
import { EXIT, UserError } from "../../src/base/user-error.js";
import { type Definitions, definitionOf } from "../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { type Fixture, placeOf } from "../fixtures/fixture.js";
import { BoundedRegExp } from "./bounded-reg-exp.js";
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

/** Every mutant of every definition, in the order of the files. */
export function createMutants(definitions: Definitions): Mutant[] {
  return listLocations(definitions).flatMap((location) =>
    operators.flatMap(({ keyword, loosen, tighten }) => {
      const toMutant =
        (direction: Direction) =>
        (change: Change): Mutant => {
          const tokens = change.at.map((token) => `/${toPointerToken(token)}`);
          const pointer = `${location.pointer}${tokens.join("")}`;
          return { location, keyword, direction, change, pointer };
        };
      return [
        ...loosen(location.node, definitions).map(toMutant("loosened")),
        ...tighten(location.node, definitions).map(toMutant("tightened")),
      ];
    }),
  );
}

/** A schema node and its replacement. */
export interface Swap {
  readonly node: SchemaNode;
  readonly mutant: SchemaNode;
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

/** Called for every pair of a node and a value that it applies to, with the value's place. */
export type OnVisit = (node: SchemaNode, value: unknown, place: Place | undefined) => void;

/** The definitions, with a mutation of one of their nodes. */
export interface SchemaUnderTest {
  readonly definitions: Definitions;
  readonly swap?: Swap | undefined;
}

/**
 * Visits every pair of a node and a value that it applies to, for `value` under `node`. Follows the keywords
 * that contain subschemas. All of these require every subschema to hold, so a value is valid if all visits
 * succeed.
 */
export function visitNodes(
  node: SchemaNode,
  value: unknown,
  under: SchemaUnderTest,
  onVisit: OnVisit,
  place?: Place,
): void {
  const { definitions, swap } = under;
  const current = swap?.node === node ? swap.mutant : node;
  onVisit(current, value, place);
  const { $ref, allOf = [], properties = {}, additionalProperties, items } = current;
  if ($ref !== undefined) {
    visitNodes(definitionOf($ref, definitions).node, value, under, onVisit, place);
  }
  for (const member of allOf) visitNodes(member, value, under, onVisit, place);
  if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof child !== "object") continue;
      visitNodes(child, inner, under, onVisit, { parent: place, token: name });
    }
  }
  if (Array.isArray(value) && items !== undefined) {
    for (const [index, inner] of value.entries()) {
      visitNodes(items, inner, under, onVisit, { parent: place, token: index });
    }
  }
}

/** All failures of a record, each as `pointer keyword`. */
export function findFailures(
  node: SchemaNode,
  record: unknown,
  under: SchemaUnderTest,
): Set<string> {
  const failures = new Set<string>();
  visitNodes(node, record, under, (evaluator, value, place) => {
    for (const keyword of compileKeywords(evaluator)(value)) {
      failures.add(`${toPointer(place)} ${keyword}`);
    }
  });
  return failures;
}

/** Splits a failure into pointer and keyword. */
export function splitFailure(failure: string): [pointer: string, keyword: string] {
  // A keyword contains no space; a pointer may.
  const space = failure.lastIndexOf(" ");
  return [failure.slice(0, space), failure.slice(space + 1)];
}

/** The keywords of one node that a value fails, without those of its subschemas. */
export type FindFailedKeywords = (value: unknown) => readonly string[];

const ajv = createAjv();
/** By content: many nodes are equal. */
const compiled = new Map<string, FindFailedKeywords>();
/** By object identity, which avoids printing a key again. */
const known = new WeakMap<SchemaNode, FindFailedKeywords>();

/**
 * Ajv's verdict on the keywords of one node. Equal nodes are compiled once, so there are far fewer
 * compilations than mutants.
 */
export function compileKeywords(node: SchemaNode): FindFailedKeywords {
  const findFailed = known.get(node) ?? compile(node);
  known.set(node, findFailed);
  return findFailed;
}

function compile(node: SchemaNode): FindFailedKeywords {
  const own = withoutSubschemas(node);
  const key = JSON.stringify(own);
  const same = compiled.get(key);
  if (same !== undefined) return same;
  const validate = ajv.compile(own);
  const findFailed: FindFailedKeywords = (value) => {
    const failed = validate(value) ? [] : (validate.errors ?? []).map(({ keyword }) => keyword);
    // Of a value of the wrong type, nothing else is said.
    return failed.includes("type") ? ["type"] : failed;
  };
  compiled.set(key, findFailed);
  return findFailed;
}

/** The node with every subschema replaced by one that accepts everything. */
function withoutSubschemas(node: SchemaNode): object {
  const { $ref, allOf, items, properties, additionalProperties, description, ...own } = node;
  if (additionalProperties !== false) return own;
  const names = Object.keys(properties ?? {}).map((name) => [name, true]);
  return { ...own, properties: Object.fromEntries(names), additionalProperties };
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

/** Validates fixtures against the schemas and their mutants. */
export class Evaluator {
  readonly definitions: Definitions;
  /** Fixtures by the nodes that apply to a part of them: mutants of a node affect only these. */
  readonly #reaches = new Map<SchemaNode, Reach[]>();

  readonly #names = new Set<string>();

  constructor(fixtures: readonly CheckedFixture[], definitions: Definitions) {
    this.definitions = definitions;
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
      visitNodes(definition.node, record, this, (node, _, place) => {
        const pointer = toPointer(place);
        const known = pointers.get(node);
        if (known === undefined) pointers.set(node, [pointer]);
        else known.push(pointer);
      });
      for (const [node, places] of pointers) this.#addReach(node, { checked, pointers: places });
    }
  }

  #addReach(node: SchemaNode, reach: Reach): void {
    addTo(this.#reaches, node, reach);
  }

  /** Whether a fixture of the type has the name. */
  hasName(type: string, name: string): boolean {
    return this.#names.has(`${type}/${name}`);
  }

  /** The records with a value that a node applies to. */
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
    const { definitions } = this;
    return findFailures(definitionOf(type, definitions).node, record, { definitions, swap });
  }

  /**
   * The first fixture that distinguishes a mutant from the schema. For a looser mutant: one that the schema
   * rejects and that fails differently. For a tighter mutant: one that the schema accepts and that fails. A
   * record that only violates semantic rules counts as accepted.
   */
  findKiller(swap: Swap, direction: Direction): CheckedFixture | undefined {
    return this.reachesOf(swap.node).find((reach) => {
      const { fixture, record, failures } = reach.checked;
      const canTell = direction === "loosened" ? failsWithin(reach) : failures.size === 0;
      return canTell && !isSameSet(failures, this.failuresOf(fixture.type, record, swap));
    })?.checked.fixture;
  }
}

/**
 * Whether anything fails at, or below, a place that the node applies to: a looser node can affect no other
 * failure.
 */
function failsWithin({ checked: { failures }, pointers }: Reach): boolean {
  return [...failures].some((failure) =>
    pointers.some(
      (pointer) => failure.startsWith(`${pointer}/`) || failure.startsWith(`${pointer} `),
    ),
  );
}

export function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}

/**
 * An Ajv with the verdicts of the generated validators. It stops slow patterns, and accepts unusual schemas,
 * as mutants may be: a bound without a type, or an enum that nothing satisfies.
 */
export function createAjv(): Ajv2020 {
  const createRegExp = (pattern: string, flags: string) => new BoundedRegExp(pattern, flags);
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    // The schemas were checked against the metaschema when they were loaded.
    validateSchema: false,
    // The code is needed for standalone output only. Most functions run a few times: to optimise one takes longer.
    code: { regExp: Object.assign(createRegExp, { code: "" }), optimize: false },
  });
  addFormats.default(ajv);
  return ajv;
}
