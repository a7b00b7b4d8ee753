import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { resolvePointer } from "../../base/json/pointer.js";
import { isJsonObject } from "../../base/json/value.js";
import { memoize } from "../../base/memoize.js";
import { UserError } from "../../base/user-error.js";
import { referencesIn, toContract } from "../schemas/contract.js";
import { toCanonicalText } from "../schemas/json-text.js";
import type { Change } from "./change.js";
import { toPointer } from "./places/place.js";
import type { Mentioned } from "./rules/rule.js";
import { exactMemberText, isInexact } from "./schema/exact-numbers.js";
import type { SchemaLocation } from "./schema/schema-set.js";
import { subschemas } from "./schema/subschemas.js";
import { acceptsNothing, unmatched } from "./unmatched.js";

/** What identifies a finding, independent of its message. */
export interface FindingIdentity {
  /** `$id` of the schema. */
  readonly schema: string;
  readonly rule: string;
  /** The changed keyword in the schema. */
  readonly pointer: string;
  readonly direction: string;
  readonly lens: string;
  /** A later change that goes further at the same place has another contract, so another fingerprint. */
  readonly contract: ChangedContract;
}

/** The first 16 hexadecimal digits of the SHA-256 of the identity's RFC 8785 canonical form. */
export function fingerprintOf({ contract, ...identity }: FindingIdentity): string {
  const { schema, rule, pointer, direction, lens } = identity;
  const { old: older, new: newer } = contract;
  const text =
    canonicalize({ schema, rule, pointer, direction, lens, old: older, new: newer }) ?? "";
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** The contract of both versions at the place of a change, in canonical form. */
interface ChangedContract {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

/** The contract that an approval of the change covers. */
export function contractAt({
  rule,
  old: older,
  new: newer,
  around,
  contract,
}: Change): ChangedContract {
  if (rule === unmatched || rule === acceptsNothing)
    return { old: schemaContract(around.old), new: schemaContract(around.new) };
  if (contract !== undefined) return { old: [toText(contract.old)], new: [toText(contract.new)] };
  // If one member was added or removed, the rest of its list is not part of the change.
  const isMember = (older?.below === undefined) !== (newer?.below === undefined);
  const contractOf = (mentioned: Mentioned | undefined): string[] =>
    mentioned === undefined || (isMember && mentioned.below === undefined)
      ? []
      : keywordContract(mentioned);
  return { old: contractOf(older), new: contractOf(newer) };
}

/** The contract of a schema and of everything that it refers to. */
export function schemaContract(location: SchemaLocation): string[] {
  return withReferences(location, readStatement(location.schema));
}

function keywordContract({ location, keyword, below = [] }: Mentioned): string[] {
  const isWhole = below.length === 0;
  const value = resolvePointer(location.schema, toPointer(keyword, ...below));
  // With its keyword, a list is recognised as one whose order does not matter.
  const contract = withReferences(location, toStatement(isWhole ? { [keyword]: value } : value));
  if (!isInexact(location.schema, keyword)) return contract;
  return [...contract, exactMemberText(location.schema, keyword)];
}

/** The contract of one schema, and the references in it. */
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

/** Many changes refer to the same schemas. */
const statementOf = memoize((schema: object) => toStatement(schema));

function readStatement(schema: SchemaLocation["schema"]): Statement {
  return isJsonObject(schema) ? statementOf(schema) : toStatement(schema);
}

/** Larger schemas are their own contract: finding their used definitions would take too long. */
const MAX_SUBSCHEMAS = 300;

function toStatement(value: unknown): Statement {
  const isLarge = isJsonObject(value) && subschemas(value).length > MAX_SUBSCHEMAS;
  const contract = isLarge ? value : toContract(value);
  return { text: toText(contract), references: [...new Set(referencesIn(contract))].sort() };
}

/** A value with the key `$ref` need not be a schema, so it may not resolve. */
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
