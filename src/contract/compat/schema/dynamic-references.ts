import { formatNumber } from "../../../base/text.js";
import { UserError } from "../../../base/user-error.js";
import { childOf, replaceAt, type SchemaLocation } from "./schema-set.js";
import { type Schema, subschemas } from "./subschemas.js";
import { convertSubschemas, referencesOf } from "./walks.js";

/** Limit on the schemas of all copies together. */
const MAX_STATES = 200_000;

/** For each name of a dynamic anchor, the outermost resource with it that evaluation has entered. */
type Scope = ReadonlyMap<string, string>;

/** A resource, and the scope in which its schemas are evaluated. */
interface Unit {
  readonly uri: string;
  readonly scope: Scope;
  readonly states: Map<Schema, State>;
}

/** A schema that a reference leads to. */
interface Target {
  readonly location: SchemaLocation;
  readonly unit: Unit;
}

/** A schema of a unit. */
interface State extends Target {
  /** Where its references lead, by keyword. */
  readonly targets: Map<string, Target>;
  /** Its subschemas that are resources of their own, by their pointers. */
  readonly resources: Map<string, Unit>;
}

/**
 * The dynamic references of a document and of what it refers to, made static (draft 2020-12, section 8.2.3.2): a resource
 * has a copy for each scope in which evaluation can come to it, in which every `$dynamicRef` is a `$ref`. Mostly there is
 * one scope, and the resource itself is that copy.
 */
export class DynamicReferences {
  readonly #root: SchemaLocation;
  readonly #reached: ReadonlySet<unknown>;
  /** The dynamic anchors of each resource that is reached, without names that no other one has. */
  readonly #anchors: ReadonlyMap<string, ReadonlyMap<string, SchemaLocation>>;
  /** The units of each resource. The first one stays where it is. */
  readonly #units = new Map<string, Unit[]>();
  readonly #waiting: State[] = [];
  readonly #later: State[] = [];
  #count = 0;

  /** `reached`: all schemas that count, of whatever documents. Throws UserError (exit 3) if there are too many copies. */
  constructor(root: SchemaLocation, reached: Iterable<SchemaLocation>) {
    const all = [...reached];
    this.#root = root;
    this.#reached = new Set(all.map(({ schema }) => schema));
    this.#anchors = findShared(root, new Set(all.map(({ uri }) => uri)));
    this.#visit(root, new Map(), this.#waiting);
    for (let state = this.#next(); state !== undefined; state = this.#next()) this.#follow(state);
  }

  /** The schemas to which references lead. */
  *targets(): Generator<SchemaLocation> {
    for (const { targets } of this.#states()) {
      for (const { location } of targets.values()) yield location;
    }
  }

  /** Makes the copies, and makes the references lead to them. */
  settle(): void {
    const { set } = this.#root;
    for (const [uri, units] of this.#units) {
      const resource = set.resolve({ ...this.#root, uri }, "#");
      for (const unit of units.slice(1)) {
        set.add(
          this.#copy({ location: resource, unit }),
          this.#uriOf(unit),
          set.describe(resource),
        );
      }
    }
    for (const state of this.#states()) if (this.#isInPlace(state.unit)) this.#rewrite(state);
  }

  /** Parts of a resource come before what it refers to, so that a resource in another mostly stays there. */
  #next(): State | undefined {
    return this.#waiting.pop() ?? this.#later.pop();
  }

  *#states(): Generator<State> {
    for (const units of this.#units.values())
      for (const { states } of units) yield* states.values();
  }

  #visit(location: SchemaLocation, around: Scope, waiting: State[]): Unit {
    const unit = this.#enter(location.uri, around);
    const { schema } = location;
    if (typeof schema === "boolean" || unit.states.has(schema)) return unit;
    this.#count += 1;
    if (this.#count > MAX_STATES) {
      const name = location.set.describe(this.#root);
      const limit = formatNumber(MAX_STATES);
      throw new UserError(`${name}: its dynamic references lead to more than ${limit} schemas`);
    }
    const state = { location, unit, targets: new Map(), resources: new Map() };
    unit.states.set(schema, state);
    waiting.push(state);
    return unit;
  }

  #enter(uri: string, around: Scope): Unit {
    const own = [...(this.#anchors.get(uri)?.keys() ?? [])].map((name) => [name, uri] as const);
    const scope = new Map([...own, ...around]);
    const units = this.#units.get(uri) ?? [];
    this.#units.set(uri, units);
    const known = units.find((unit) => isSameScope(unit.scope, scope));
    if (known !== undefined) return known;
    const unit = { uri, scope, states: new Map<Schema, State>() };
    units.push(unit);
    return unit;
  }

  #follow({ location, unit, targets, resources }: State): void {
    const { set, schema, uri } = location;
    for (const [pointer, below] of subschemas(schema)) {
      if (!this.#reached.has(below)) continue;
      const child = childOf(location, pointer);
      const inside = this.#visit(child, unit.scope, this.#waiting);
      if (child.uri !== uri) resources.set(pointer, inside);
    }
    for (const [keyword, reference] of referencesOf(location)) {
      const found = set.resolve(location, reference);
      const target =
        (keyword === "$dynamicRef" && this.#outermost(found, reference, unit)) || found;
      targets.set(keyword, {
        location: target,
        unit: this.#visit(target, unit.scope, this.#later),
      });
    }
  }

  /** Where a `$dynamicRef` leads instead of to a dynamic anchor. */
  #outermost(
    { schema }: SchemaLocation,
    reference: string,
    { scope }: Unit,
  ): SchemaLocation | undefined {
    const name: unknown = Object(schema).$dynamicAnchor;
    if (typeof name !== "string" || !reference.endsWith(`#${name}`)) return undefined;
    return this.#anchors.get(scope.get(name) ?? "")?.get(name);
  }

  #isInPlace(unit: Unit): boolean {
    return this.#units.get(unit.uri)?.[0] === unit;
  }

  #uriOf(unit: Unit): string {
    return this.#isInPlace(unit)
      ? unit.uri
      : `${unit.uri}?scope${this.#units.get(unit.uri)?.indexOf(unit)}`;
  }

  #refer({ location, unit }: Target): string {
    return `${this.#uriOf(unit)}#${encodeURI(location.pointer)}`;
  }

  #copy({ location, unit }: Target): Schema {
    const { schema } = location;
    if (typeof schema === "boolean") return schema;
    const state = unit.states.get(schema);
    const copy = convertSubschemas(
      location,
      (keyword) => NAMES.includes(keyword),
      (_, child) => {
        const inside = child.uri === unit.uri ? undefined : this.#enter(child.uri, unit.scope);
        return inside === undefined
          ? this.#copy({ location: child, unit })
          : { $ref: this.#uriOf(inside) };
      },
    );
    for (const [keyword, target] of state?.targets ?? []) copy[keyword] = this.#refer(target);
    if (copy.$dynamicRef !== undefined) makeStatic(copy, String(copy.$dynamicRef));
    return copy;
  }

  #rewrite({ location, unit, targets, resources }: State): void {
    const schema: { [keyword: string]: unknown } = Object(location.schema);
    for (const [pointer, inside] of resources) {
      if (!this.#isInPlace(inside)) replaceAt(location, pointer, { $ref: this.#uriOf(inside) });
    }
    for (const [keyword, target] of targets) {
      const refer =
        target.unit === unit ? `#${encodeURI(target.location.pointer)}` : this.#refer(target);
      if (keyword === "$dynamicRef") {
        const member = makeStatic(schema, refer);
        if (member !== undefined) replaceAt(location, ...member);
      } else if (!this.#isInPlace(target.unit)) schema[keyword] = refer;
    }
  }
}

/** Keywords by which nothing leads to a copy. */
const NAMES = ["$id", "$anchor", "$dynamicAnchor"];

/** Replaces a `$dynamicRef`. Beside a `$ref`, it becomes a member of `allOf`: its pointer and itself. */
function makeStatic(
  schema: { [keyword: string]: unknown },
  $ref: string,
): [pointer: string, member: Schema] | undefined {
  delete schema.$dynamicRef;
  if (schema.$ref === undefined) {
    schema.$ref = $ref;
    return undefined;
  }
  const members: unknown[] = Array.isArray(schema.allOf) ? schema.allOf : [];
  schema.allOf = [...members, { $ref }];
  return [`/allOf/${members.length}`, { $ref }];
}

function isSameScope(one: Scope, other: Scope): boolean {
  return one.size === other.size && [...one].every(([name, uri]) => other.get(name) === uri);
}

/** The dynamic anchors that several resources have, by resource and name. */
function findShared(
  { set }: SchemaLocation,
  uris: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyMap<string, SchemaLocation>> {
  const anchors = new Map([...uris].map((uri) => [uri, set.dynamicAnchorsOf(uri)]));
  const names = [...anchors.values()].flatMap((each) => [...each.keys()]);
  const isShared = (name: string): boolean => names.indexOf(name) !== names.lastIndexOf(name);
  return new Map(
    [...anchors].map(([uri, each]) => [uri, new Map([...each].filter(([name]) => isShared(name)))]),
  );
}
