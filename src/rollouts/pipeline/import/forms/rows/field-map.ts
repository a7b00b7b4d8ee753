import { previewValue, suggestName } from "../../../../../base/text.js";
import { EXIT, UserError } from "../../../../../base/user-error.js";

/**
 * What a row can hold. `messages` is the whole conversation; without it, `prompt` is what the model was given and
 * `completion` what it wrote. `system` is a prompt that is not among the messages.
 */
export const ROW_FIELDS = [
  "messages",
  "prompt",
  "completion",
  "system",
  "tools",
  "reward",
  "group",
  "session",
  "seed",
  "temperature",
] as const;

export type RowField = (typeof ROW_FIELDS)[number];

/** In `group`: rows with the same task, context and tools form a rollout. */
export const GROUP_BY_TASK = "task";

/** For each field, JSON Pointers into the row. The first one that the row has counts. */
export type FieldMap = Readonly<Partial<Record<RowField, readonly string[]>>>;

/** Where the messages of a row are that is a list of them. */
export const BARE_LIST = "/messages";

/** A comma that begins the next field: a JSON Pointer may contain commas. */
const NEXT_FIELD = /,\s*(?=[a-z]+=)/;

/**
 * Parses `messages=/messages,reward=/score`. A repeated field adds a pointer that is tried after the others. Throws
 * UserError (exit 2) for an unknown name, or a value that is no JSON Pointer.
 */
export function parseFieldMap(given: string): FieldMap {
  const map = new Map<string, string[]>();
  for (const part of given === "" ? [] : given.split(NEXT_FIELD)) {
    const [name = "", pointer] = part.split(/=(.*)/s);
    if (!isRowField(name)) {
      throw new UserError(
        `--map ${previewValue(part)}: ${previewValue(name)} is no field${suggestName(name, ROW_FIELDS)}`,
        EXIT.usage,
      );
    }
    if (pointer === undefined || !isPlace(name, pointer)) {
      const other = name === "group" ? `, or group=${GROUP_BY_TASK}` : "";
      throw new UserError(
        `--map ${previewValue(part)}: write a JSON Pointer such as ${name}=/${name}${other}`,
        EXIT.usage,
      );
    }
    // A bare list stands for a row that holds it.
    map.set(name, [...(map.get(name) ?? []), pointer === "" ? BARE_LIST : pointer]);
  }
  return Object.fromEntries(map);
}

export function isRowField(name: string): name is RowField {
  return ROW_FIELDS.some((field) => field === name);
}

/** Tells whether `place` can be the value of a field: a JSON Pointer, of the whole row only for a bare list of messages. */
export function isPlace(field: RowField, place: string): boolean {
  if (place === "") return field === "messages";
  return place.startsWith("/") || (field === "group" && place === GROUP_BY_TASK);
}
