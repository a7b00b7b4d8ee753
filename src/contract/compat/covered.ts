import { isJsonObject } from "../../base/json/value.js";
import type { Change } from "./change.js";
import type { EntryPair } from "./entry-points.js";
import { matchMembers, nameOfMember } from "./places/match-members.js";
import { membersOf } from "./places/members.js";
import { type Occurrence, Place, type PlacePair } from "./places/place.js";
import { ATOMS, type Atom, atomsOf } from "./rules/types.js";
import type { SchemaLocation } from "./schema/schema-set.js";
import { isPlainReference } from "./solver/to-formula.js";

/** A member of a union in both versions, of which the union shows no change: other members accept all its values. */
export interface CoveredMember {
  /** The member, as a type of its own. */
  readonly type: EntryPair;
  /** The members that cover it, and what they accept: `Ext accepts anything`. */
  readonly because: string;
  /** Where it is. */
  readonly change: Pick<Change, "around" | "new" | "old">;
}

/** Whether a schema certainly accepts all values of a type. */
export type Accepts = (location: SchemaLocation, atom: Atom) => boolean;

/** The members of an `anyOf` that changed, and that other members cover in both versions. */
export function findCovered(place: PlacePair, accepts: Accepts): CoveredMember[] {
  const newers = place.new.occurrences("anyOf");
  const olders = place.old.occurrences("anyOf");
  // Which belongs to which is known by their order only.
  if (olders.length !== newers.length) return [];
  return olders.flatMap((older, index) => {
    const newer = newers[index];
    return newer === undefined ? [] : findCoveredIn(place, accepts, older, newer);
  });
}

function findCoveredIn(
  place: PlacePair,
  accepts: Accepts,
  older: Occurrence,
  newer: Occurrence,
): CoveredMember[] {
  const [olds, news] = [new Union(older, accepts), new Union(newer, accepts)];
  return matchMembers(olds.members, news.members, place.classes).pairs.flatMap(([one, twin]) => {
    const [before, after] = [olds.members[one], news.members[twin]];
    if (before === undefined || after === undefined) return [];
    if (place.classes.of(before) === place.classes.of(after)) return [];
    const because = news.coverOf(after);
    if (because === undefined || olds.coverOf(before) === undefined) return [];
    const names = { name: news.typeName(after), oldName: olds.typeName(before) };
    const type = { ...names, old: follow(before), new: follow(after), instead: after };
    const around = { old: place.old.anchor, new: place.new.anchor };
    const both = { old: { ...older, below: [one] }, new: { ...newer, below: [twin] } };
    return [{ type, because, change: { ...both, around } }];
  });
}

/** The members of a union. */
class Union {
  readonly members: readonly SchemaLocation[];
  readonly #accepts: Accepts;

  constructor(union: Occurrence, accepts: Accepts) {
    this.members = membersOf(union);
    this.#accepts = accepts;
  }

  nameOf(member: SchemaLocation): string {
    return nameOfMember(member) ?? `anyOf/${this.members.indexOf(member)}`;
  }

  /** A reference with further constraints is not the type that it names. */
  typeName(member: SchemaLocation): string {
    const { schema } = member;
    const isOther =
      follow(member) === member && isJsonObject(schema) && (schema.$ref ?? schema.allOf);
    return isOther ? `anyOf/${this.members.indexOf(member)}` : this.nameOf(member);
  }

  /** What covers a member: all values, or all objects and lists; undefined if nothing does. */
  coverOf(member: SchemaLocation): string | undefined {
    const own = atomsOf(new Place([member], member).occurrences("type"));
    const others = this.members.filter((other) => other !== member);
    const isAccepted = (atom: Atom): boolean => others.some((other) => this.#accepts(other, atom));
    if (!own.every(isAccepted)) return undefined;
    const isAnything = ATOMS.every(isAccepted);
    // Beside any string, a list of strings is a hint, not a contract that could break.
    const hasStructure = own.includes("object") || own.includes("array");
    if (!isAnything && !hasStructure) return undefined;
    const names = others
      .filter((other) => own.some((atom) => this.#accepts(other, atom)))
      .map((other) => `\`${this.nameOf(other)}\``);
    const what = isAnything ? "anything" : `any ${own.join(" or ")}`;
    return `${names.join(" and ")} ${names.length === 1 ? "accepts" : "accept"} ${what}`;
  }
}

/** The definition to which a schema is a plain reference; else itself. */
function follow(location: SchemaLocation): SchemaLocation {
  const { schema, set } = location;
  return isPlainReference(schema, set.format) ? set.resolve(location, schema.$ref) : location;
}
