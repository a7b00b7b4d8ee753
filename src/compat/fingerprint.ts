import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { resolvePointer } from "../json/pointer.js";
import { isJsonObject } from "../json/value.js";
import { referencesIn, toContract } from "../schemas/contract.js";
import { toCanonicalText } from "../schemas/json-text.js";
import { UserError } from "../user-error.js";
import type { Change } from "./change.js";
import { unmatched } from "./entry-comparison.js";
import { toPointer } from "./places/place.js";
import type { Mentioned } from "./rules/rule.js";
import type { SchemaLocation } from "./schema-set.js";

/** What a finding is about, whatever its message says. */
export interface FindingIdentity {
  /** `$id` of the schema. */
  readonly schema: string;
  readonly rule: string;
  /** Where in the schema the keyword stands that changed. */
  readonly pointer: string;
  readonly direction: string;
  readonly lens: string;
  /** What both versions say there: a later change that goes further is another one. */
  readonly said: Said;
}

/** The first 16 hexadecimal digits of the SHA-256 of the identity's RFC 8785 canonical form. */
export function fingerprintOf({
  schema,
  rule,
  pointer,
  direction,
  lens,
  said,
}: FindingIdentity): string {
  const { old: older, new: newer } = said;
  const text =
    canonicalize({ schema, rule, pointer, direction, lens, old: older, new: newer }) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** What both versions say at the place of a change, in one form: the same for what means the same. */
export interface Said {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** What an approval of a change covers: more than that is another change. */
export function saidBy({ rule, old: older, new: newer, around, says }: Change): Said {
  if (rule === unmatched) return { old: schemaSays(around.old), new: schemaSays(around.new) };
  if (says !== undefined) return { old: [toText(says.old)], new: [toText(says.new)] };
  // One member of a list that is gone, or new: the others are none of its business.
  const isMember = (older?.below === undefined) !== (newer?.below === undefined);
  const say = (mentioned: Mentioned | undefined): string[] =>
    mentioned === undefined || (isMember && mentioned.below === undefined)
      ? []
      : keywordSays(mentioned);
  return { old: say(older), new: say(newer) };
}

/** What a schema says, and all that it refers to. */
export function schemaSays(location: SchemaLocation): string[] {
  return withReferences(location, readStatement(location.schema));
}

function keywordSays({ location, keyword, below = [] }: Mentioned): string[] {
  const isWhole = below.length === 0;
  const value = resolvePointer(location.schema, toPointer(keyword, ...below));
  // Beside its keyword a list is known for one whose order means nothing.
  return withReferences(location, toStatement(isWhole ? { [keyword]: value } : value));
}

interface Statement {
  readonly text: string;
  readonly references: readonly string[];
}

function withReferences(location: SchemaLocation, statement: Statement): string[] {
  const seen = new Set<unknown>();
  const texts = [statement.text];
  const waiting: [SchemaLocation, Statement][] = [[location, statement]];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const [from, { references }] = next;
    for (const reference of references) {
      const target = tryToResolve(from, reference);
      if (target === undefined || seen.has(target.schema)) continue;
      seen.add(target.schema);
      const found = readStatement(target.schema);
      texts.push(found.text);
      waiting.push([target, found]);
    }
  }
  return texts;
}

/** Of schemas to which many changes refer. */
const statements = new WeakMap<object, Statement>();

function readStatement(schema: SchemaLocation["schema"]): Statement {
  if (!isJsonObject(schema)) return toStatement(schema);
  const statement = statements.get(schema) ?? toStatement(schema);
  statements.set(schema, statement);
  return statement;
}

function toStatement(value: unknown): Statement {
  const contract = toContract(value);
  return { text: toText(contract), references: [...new Set(referencesIn(contract))].sort() };
}

/** A value that holds a name `$ref` need not be a schema. */
function tryToResolve(from: SchemaLocation, reference: string): SchemaLocation | undefined {
  try {
    return from.set.resolve(from, reference);
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

function toText(value: unknown): string {
  return value === undefined ? "" : toCanonicalText(value);
}
