import { toPointerToken } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import type { ImportFault, ImportReader, ImportSettings, RecordPart } from "../reader.js";
import { isEmpty, type Tally } from "../tally.js";
import { chooseMap } from "./rows/chosen-map.js";
import { MessagesReader } from "./rows.js";

/** A message in a dialect that `readMessage` reads, and its JSON Pointer in the text. */
export type ConvertedMessage = readonly [at: string, message: JsonObject];

/** A record of a log as a row, which is then read as all rows are. */
export interface Converted {
  /** JSON Pointer to the record in the text. */
  readonly pointer: string;
  readonly messages: readonly ConvertedMessage[];
  /** Number of the first messages that the model was given. Default: those before its first turn. */
  readonly given?: number | undefined;
  readonly tools?: unknown;
  /** The reward, and where it is. Undefined: the record has none. */
  readonly reward?: { readonly pointer: string; readonly value: unknown } | undefined;
  /** What the records of one rollout share. Undefined: the task. */
  readonly group?: unknown;
  /** The same, if it depends on how the user begins. */
  readonly opening?: unknown;
  readonly session?: unknown;
  readonly seed?: unknown;
  readonly temperature?: unknown;
  /** Further fields, which are kept, and which `--objective` and `--score` can name. */
  readonly fields?: JsonObject | undefined;
  readonly fault?: ImportFault | undefined;
  readonly leftOut?: ImportFault | undefined;
  readonly warnings?: readonly ImportFault[] | undefined;
  readonly tally?: Tally | undefined;
}

const FIELDS =
  "messages=/messages,prompt=/prompt,completion=/completion,tools=/tools,group=/group,group=/opening,group=task,session=/session,seed=/seed,temperature=/temperature";

/** Creates the reader of a form whose records become rows: `split` converts them, and the rest is that of all rows. */
export function createConvertedReader(
  settings: ImportSettings,
  { id, groupedBy, simulatesUsers = false }: ConvertedForm,
  split: NonNullable<ImportReader["split"]>,
): ImportReader {
  const without = chooseMap({ fields: FIELDS });
  const rewarded = chooseMap({ fields: `${FIELDS},reward=/reward` });
  const mapOf = (row: JsonObject) => (Object.hasOwn(row, "reward") ? rewarded.map : without.map);
  const inner = new MessagesReader(settings, { ...rewarded, mapOf }, { source: id });
  const by = groupedBy ?? "/group";
  const toPlaces = (text: string): string =>
    text.replace("/group", by).replace("/opening", `${by} and the user's first message`);
  return {
    simulatesUsers,
    refuseFile: () => undefined,
    split,
    read: (row) => inner.read(row),
    summarise: () => inner.summarise().map(([label, text]) => [label, toPlaces(text)]),
  };
}

interface ConvertedForm {
  readonly id: string;
  /** What the records of a rollout share, in words of the form. */
  readonly groupedBy?: string;
  /** As in a reader. */
  readonly simulatesUsers?: boolean;
}

/** Counts the fields of an object that a conversion does not read. */
export function skipRest(
  owner: unknown,
  pointer: string,
  read: readonly string[],
  tally: Tally,
): void {
  if (!isJsonObject(owner)) return;
  for (const [key, value] of Object.entries(owner)) {
    if (!read.includes(key) && !isEmpty(value)) {
      tally.skip(`${pointer}/${toPointerToken(key)}`, value);
    }
  }
}

/** Counts the fields beside the list of records of a document, once: with the first record that has a tally. */
export function skipBeside(
  document: JsonObject,
  read: readonly string[],
  parts: readonly RecordPart[],
): void {
  const tally = parts.find((part) => part.tally !== undefined)?.tally;
  if (tally) skipRest(document, "", read, tally);
}

/** An object as JSON has it. */
function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, each]) => each !== undefined));
}

/** A converted record as a part of its text. */
export function toPart(converted: Converted): RecordPart {
  const { pointer, messages, given, tools, reward, session, seed, temperature } = converted;
  const { fields, fault, leftOut, warnings, tally, group, opening } = converted;
  const list = messages.map(([, message]) => withoutUndefined(message));
  const optional = { tools, group, opening, session, seed, temperature };
  const present = Object.entries(optional).filter(
    ([, each]) => each !== undefined && each !== null,
  );
  const value = {
    ...withoutUndefined(fields ?? {}),
    ...(given === undefined
      ? { messages: list }
      : { prompt: list.slice(0, given), completion: list.slice(given) }),
    ...Object.fromEntries(present),
    ...(reward !== undefined && { reward: reward.value }),
  };
  const toTextPointer = (inner: string): string => {
    const [, field, index, ...rest] = inner.split("/");
    if (field === "reward") return reward?.pointer ?? pointer;
    const at = Number(index) + (field === "completion" ? (given ?? 0) : 0);
    const [place] = messages[at] ?? [];
    const isMessage = field === "messages" || field === "prompt" || field === "completion";
    return isMessage && place !== undefined ? [place, ...rest].join("/") : pointer;
  };
  return { value, pointer, toTextPointer, fault, leftOut, warnings, tally };
}

/** The objects of an array with their pointers, or the only one. */
export function listObjects(value: unknown, pointer = ""): [at: string, object: JsonObject][] {
  if (isJsonObject(value)) return [[pointer, value]];
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((each, index): [string, JsonObject][] =>
    isJsonObject(each) ? [[`${pointer}/${index}`, each]] : [],
  );
}

/** The messages of a list with their pointers. What is none stays, and is refused where messages are read. */
export function placeMessages(value: unknown, pointer: string): ConvertedMessage[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.map(
    (each, index): ConvertedMessage => [
      `${pointer}/${index}`,
      isJsonObject(each) ? each : { role: "no message", content: each },
    ],
  );
}
