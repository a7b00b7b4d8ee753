import type { JsonObject } from "../../../../base/json/value.js";
import { toMessages } from "../../../wire/conversation/conversation.js";
import type { Form } from "../forms/form.js";
import { recogniseForm, unwrapArrays } from "../recognise.js";
import { NO_VALUES, PLACE, SETTINGS } from "./read-row.js";

/** What a file became, as a user sees it. */
export interface ReadLog {
  readonly form: string | undefined;
  /** Role and text of each message, as in `user: Hello`; those before the answer in `given`. */
  readonly given: readonly string[];
  readonly turns: readonly string[];
  readonly warnings: readonly string[];
  readonly faults: readonly string[];
  readonly unread: readonly string[];
  readonly branch: JsonObject;
  /** Why the run ended, if it did not by itself. */
  readonly end?: string | undefined;
}

/** Reads the only record of a file of lines, or of a document. */
export function readLog(values: readonly unknown[]): ReadLog {
  const form = recogniseForm(unwrapArrays(values));
  const [part] = form ? splitLog(form, values) : [];
  const nothing = { given: [], turns: [], warnings: [], faults: [], unread: [], branch: {} };
  if (form === undefined || part === undefined) return { ...nothing, form: form?.id };
  const lost = part.warnings?.map(({ message }) => message) ?? [];
  const read = form.createReader(SETTINGS, NO_VALUES, values).read(part.value, PLACE);
  const fault = part.fault ?? part.leftOut;
  if (fault) return { ...nothing, form: form.id, faults: [fault.message] };
  if (read.kind === "faulty") {
    return { ...nothing, form: form.id, faults: read.faults.map(({ message }) => message) };
  }
  if (read.kind === "left-out") return { ...nothing, form: form.id, faults: [read.fault.message] };
  const { branch, tally } = read;
  if (part.tally) tally.add(part.tally);
  const said = toMessages(branch).map(({ role, content }) => `${role}: ${content}`);
  const asked = (branch.context?.messages?.length ?? 0) + 1;
  return {
    form: form.id,
    given: said.slice(0, asked),
    turns: said.slice(asked),
    warnings: [...lost, ...read.warnings.map(({ message }) => message)],
    faults: [],
    unread: tally.describeUnread(),
    branch,
    end: read.end?.kind,
  };
}

export function splitLog(form: Form, values: readonly unknown[]) {
  const { split } = form.createReader(SETTINGS, NO_VALUES, values);
  const [first] = values;
  const { joinsLines } = form;
  const isJoined = typeof joinsLines === "function" ? joinsLines(unwrapArrays(values)) : joinsLines;
  const text = isJoined
    ? Object.fromEntries(values.map((value, index) => [index + 1, value]))
    : first;
  return split?.(text, PLACE) ?? [];
}
