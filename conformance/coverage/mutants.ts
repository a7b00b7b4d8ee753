import { isDeepStrictEqual } from "node:util";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { toPointerToken } from "../../src/json/pointer.js";
import { isJsonObject } from "../../src/json/value.js";
import { EXIT, UserError } from "../../src/user-error.js";
import { type Fixture, placeOf } from "../fixtures/fixture.js";
import { type Definitions, definitionOf } from "../schemas/definitions.js";
import type { SchemaNode } from "../schemas/nodes.js";
import { BoundedRegExp } from "./bounded-reg-exp.js";
import { operators } from "./operators/index.js";
import type { Change } from "./operators/operator.js";
import { type Location, listLocations, recordsOf } from "./places.js";

/** A change to a constraint of a schema; equivalent ones count as mutants too. */
export interface Mutant {
  readonly location: Location;
  readonly keyword: string;
  readonly direction: Direction;
  readonly change: Change;
  /** JSON Pointer of the constraint in the schema's file. */
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

/** A node of a schema and what takes its place. */
export interface Swap {
  readonly node: SchemaNode;
  readonly mutant: SchemaNode;
}

/** Is told every pair of a node and a value that it applies to, with the value's JSON Pointer. */
export type OnVisit = (node: SchemaNode, value: unknown, pointer: string) => void;

/** What a record is checked by: the definitions, and a mutation of one of their nodes. */
export interface SchemaUnderTest {
  readonly definitions: Definitions;
  readonly swap?: Swap | undefined;
}

/**
 * Visits every pair of a node and a value that it applies to, for `value` under `node`. The keywords that
 * hold subschemas are followed here; all of them demand that every subschema holds, so that the
 * verdict on the whole is the sum of the verdicts on the visits.
 */
export function visitNodes(
  node: SchemaNode,
  value: unknown,
  under: SchemaUnderTest,
  onVisit: OnVisit,
  pointer = "",
): void {
  const { definitions, swap } = under;
  const current = swap?.node === node ? swap.mutant : node;
  onVisit(current, value, pointer);
  const { $ref, allOf = [], properties = {}, additionalProperties, items } = current;
  if ($ref !== undefined) {
    visitNodes(definitionOf($ref, definitions).node, value, under, onVisit, pointer);
  }
  for (const member of allOf) visitNodes(member, value, under, onVisit, pointer);
  if (isJsonObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      const child = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof child !== "object") continue;
      visitNodes(child, inner, under, onVisit, `${pointer}/${toPointerToken(name)}`);
    }
  }
  if (Array.isArray(value) && items !== undefined) {
    for (const [index, inner] of value.entries()) {
      visitNodes(items, inner, under, onVisit, `${pointer}/${index}`);
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
  visitNodes(node, record, under, (evaluator, value, pointer) => {
    for (const keyword of compileKeywords(evaluator)(value)) failures.add(`${pointer} ${keyword}`);
  });
  return failures;
}

/** Pointer and keyword of a failure. */
export function splitFailure(failure: string): [pointer: string, keyword: string] {
  // A keyword has no space; a pointer may.
  const space = failure.lastIndexOf(" ");
  return [failure.slice(0, space), failure.slice(space + 1)];
}

/** Keywords of one node that a value fails, without those of its subschemas. */
export type FindFailedKeywords = (value: unknown) => readonly string[];

const ajv = createAjv();
/** By what the node says: many nodes say the same. */
const compiled = new Map<string, FindFailedKeywords>();
/** By the node, of which no key needs to be printed again. */
const known = new WeakMap<SchemaNode, FindFailedKeywords>();

/**
 * Ajv's verdict on the keywords of one node. Nodes that say the same are compiled once, so that the
 * mutants of a schema need far fewer compilations than there are mutants.
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
  const findFailed: FindFailedKeywords = (value) =>
    validate(value) ? [] : (validate.errors ?? []).map(({ keyword }) => keyword);
  compiled.set(key, findFailed);
  return findFailed;
}

/** The node with every subschema replaced by one that allows everything. */
function withoutSubschemas(node: SchemaNode): object {
  const { $ref, allOf, items, properties, additionalProperties, description, ...own } = node;
  if (additionalProperties !== false) return own;
  const names = Object.keys(properties ?? {}).map((name) => [name, true]);
  return { ...own, properties: Object.fromEntries(names), additionalProperties };
}

/** What the evaluator needs of a fixture. */
export interface CheckedFixture
  extends Pick<Fixture, "kind" | "name" | "file" | "pointer" | "content" | "isBase"> {
  readonly type: string;
}

/** Whether a mutant accepts more than the schema, or less. */
export type Direction = "loosened" | "tightened";

/** A record of a fixture with the schema's verdict on it. */
export interface CheckedRecord {
  readonly fixture: CheckedFixture;
  readonly record: unknown;
  /** Each as `pointer keyword`. */
  readonly failures: ReadonlySet<string>;
}

/** A record that reaches a node, and the pointers of the values that the node applies to in it. */
export interface Reach {
  readonly checked: CheckedRecord;
  readonly pointers: readonly [string, ...string[]];
}

/** Checks fixtures against the schemas and their mutants. */
export class Evaluator {
  readonly definitions: Definitions;
  /** Fixtures by the nodes that evaluator a part of them: a mutant of a node concerns no others. */
  readonly #reaches = new Map<SchemaNode, Reach[]>();

  readonly #names = new Set<string>();

  constructor(fixtures: readonly CheckedFixture[], definitions: Definitions) {
    this.definitions = definitions;
    for (const fixture of fixtures) this.add(fixture);
  }

  /** Throws UserError for a fixture of a type that the schemas do not define. */
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
      visitNodes(definition.node, record, this, (node, _, pointer) => {
        const known = pointers.get(node);
        if (known === undefined) pointers.set(node, [pointer]);
        else known.push(pointer);
      });
      for (const [node, places] of pointers) this.#addReach(node, { checked, pointers: places });
    }
  }

  #addReach(node: SchemaNode, reach: Reach): void {
    const reaches = this.#reaches.get(node);
    if (reaches === undefined) this.#reaches.set(node, [reach]);
    else reaches.push(reach);
  }

  /** Whether a fixture of the type has the name. */
  hasName(type: string, name: string): boolean {
    return this.#names.has(`${type}/${name}`);
  }

  /** The records of which a node applies to a part. */
  reachesOf(node: SchemaNode): readonly Reach[] {
    return this.#reaches.get(node) ?? [];
  }

  /** A fixture of the type that holds the same record. */
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
   * The first fixture that tells a mutant from the schema: one that the schema refuses and that fails
   * otherwise when the mutant is looser, one that the schema accepts and that fails when it is tighter.
   * What breaks a semantic rule alone is accepted by the schema.
   */
  findKiller(swap: Swap, direction: Direction): CheckedFixture | undefined {
    return this.reachesOf(swap.node).find((reach) => {
      const { fixture, record, failures } = reach.checked;
      const canTell = direction === "loosened" ? failsWithin(reach) : failures.size === 0;
      return canTell && !isSameSet(failures, this.failuresOf(fixture.type, record, swap));
    })?.checked.fixture;
  }
}

/** Whether anything fails at a place that the node applies to, or below: only that can a looser node forgive. */
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
 * An Ajv that gives the verdicts of the generated validators, except that no pattern can hang it, and
 * that it takes schemas as odd as mutants are: a bound beside no type, an enum that nothing can meet.
 */
export function createAjv(): Ajv2020 {
  const createRegExp = (pattern: string, flags: string) => new BoundedRegExp(pattern, flags);
  const ajv = new Ajv2020({
    strict: false,
    strictNumbers: true,
    allErrors: true,
    // Who reads schemas has compared them with the meta-schema.
    validateSchema: false,
    // Only standalone code would need the code.
    code: { regExp: Object.assign(createRegExp, { code: "" }) },
  });
  addFormats.default(ajv);
  return ajv;
}
