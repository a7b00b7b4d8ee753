import { isJsonObject } from "../../../base/json/value.js";
import { formatCount, formatNumber, previewValue } from "../../../base/text.js";

/** What is read otherwise than it was written: how one and several of them are named. */
const CHANGES = {
  "joined-message": ["message joined to a turn", "messages joined to turns"],
  "environment-message": [
    "result without a call read as a user message",
    "results without a call read as user messages",
  ],
  "written-call": ["call read from a text", "calls read from texts"],
  "written-result": ["result read from a text", "results read from texts"],
  "null-argument": ["null argument left out", "null arguments left out"],
  "user-call": ["call of the user left out", "calls of users left out"],
  "user-result": ["result of a user's call left out", "results of users' calls left out"],
} as const;

export type ChangeId = keyof typeof CHANGES;

/** A place of rows that nothing reads. */
export interface UnreadPlace {
  readonly count: number;
  /** What was there first, safe on a terminal. */
  readonly example: string;
}

/** Names that a summary lists. */
const MAX_NAMES = 30;

/** An index in a JSON Pointer. */
const INDEX = /\/\d+(?=\/|$)/g;

/** Tells whether nothing is lost with a value. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Counts what is read otherwise than it was written, and what is not read at all. */
export class Tally {
  readonly #changes = new Map<ChangeId, number>();
  readonly #unread = new Map<string, UnreadPlace>();

  change(id: ChangeId, count = 1): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + count);
  }

  /** Counts a value that is not read, by its JSON Pointer into the row. */
  skip(pointer: string, value: unknown): void {
    const place = pointer.replace(INDEX, "/*");
    const { count, example } = this.#unread.get(place) ?? {
      count: 0,
      example: previewValue(value),
    };
    this.#unread.set(place, { count: count + 1, example });
  }

  /** Adds the counts of another tally, whose pointers begin at `pointer`. */
  add(other: Tally, pointer = ""): void {
    for (const [id, count] of other.#changes) this.change(id, count);
    for (const [place, { count, example }] of other.#unread) {
      const own = `${pointer.replace(INDEX, "/*")}${place}`;
      this.#unread.set(own, { example, count: (this.#unread.get(own)?.count ?? 0) + count });
    }
  }

  /** Places that are not read, as JSON Pointers with `*` for any index. */
  get unread(): ReadonlyMap<string, UnreadPlace> {
    return this.#unread;
  }

  /** One phrase per kind of change. */
  describeChanges(): string[] {
    return [...this.#changes].map(([id, count]) => {
      const [one, several] = CHANGES[id];
      return formatCount(count, one, several);
    });
  }

  /** What is not read, by name, most frequent first: `214 x weight`. A field of the row itself begins with a slash. */
  describeUnread(): string[] {
    const names = new Map<string, number>();
    for (const [place, { count }] of this.#unread) {
      const name = place.includes("/*/") ? place.slice(place.lastIndexOf("/*/") + 3) : place;
      names.set(name, (names.get(name) ?? 0) + count);
    }
    const sorted = [...names].sort(([, one], [, other]) => other - one);
    const more = sorted.length - MAX_NAMES;
    return [
      ...sorted.slice(0, MAX_NAMES).map(([name, count]) => `${formatNumber(count)} x ${name}`),
      ...(more > 0 ? [formatCount(more, "other name", "other names")] : []),
    ];
  }
}
