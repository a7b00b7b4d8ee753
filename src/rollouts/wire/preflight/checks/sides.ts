import { isSameJson } from "../../../../base/json/equality.js";
import { fault, type PreflightFault, type RowSide } from "../trainer-row.js";

/** Finds sides that teach nothing: empty ones, equal ones, and ones that call the same in other words. */
export function findSideFaults(sides: readonly RowSide[]): PreflightFault[] {
  const faults = sides.flatMap(findEmptyFaults);
  const compared = sides.filter(({ isWhole }) => isWhole !== true);
  for (const [index, side] of compared.entries()) {
    const earlier = compared.slice(0, index);
    const other = earlier.find(
      (each) => saysAsMuch(each, side) && isSameJson(sayingsOf(each), sayingsOf(side)),
    );
    if (other !== undefined) {
      const message = `says the same as ${other.name}: there is nothing to prefer; remove the row`;
      faults.push(fault("equal-sides", "error", side.pointer, message, "equal"));
      continue;
    }
    const same = earlier.find(
      (each) => callsAsOften(each, side) && isSameJson(actsOf(each), actsOf(side)),
    );
    if (same !== undefined) {
      const message = `calls the same as ${same.name}, in other words: only the wording is compared`;
      faults.push(fault("same-call", "warning", side.pointer, message, "same"));
    }
  }
  return faults;
}

function findEmptyFaults({
  name,
  pointer,
  messages,
  text,
  isWhole,
  mayBeEmpty,
}: RowSide): PreflightFault[] {
  if (mayBeEmpty === true) return [];
  if (messages === undefined) {
    return text.trim() === "" ? [empty(pointer, `${name} is empty: nothing is learned`)] : [];
  }
  const answers = messages.filter(({ role }) => role === "assistant");
  if (messages.length === 0) return [];
  if (answers.length === 0) {
    return [empty(pointer, "has no assistant message: nothing is learned")];
  }
  const silent = answers.filter((answer) => answer.text.trim() === "" && answer.calls.length === 0);
  if (isWhole === true && silent.length < answers.length) return [];
  const [first] = silent;
  if (first === undefined) return [];
  return [
    empty(first.pointer, "an assistant message without text or calls: only its end is learned"),
  ];
}

function empty(pointer: string, message: string): PreflightFault {
  return fault("empty-completion", "error", pointer, message, message);
}

/** Whether two sides may be equal: a quick look, for most are not. */
function saysAsMuch(one: RowSide, other: RowSide): boolean {
  if (one.messages?.length !== other.messages?.length) return false;
  const [first, second] = [one.messages?.[0], other.messages?.[0]];
  return first?.text.trim() === second?.text.trim() && first?.calls.length === second?.calls.length;
}

/** Whether two sides call something, and may call the same. */
function callsAsOften({ messages: one = [] }: RowSide, { messages: other = [] }: RowSide): boolean {
  const [calls, others] = [one[0]?.calls ?? [], other[0]?.calls ?? []];
  return calls.length > 0 && calls.length === others.length && calls[0]?.name === others[0]?.name;
}

/** What a side says and does, without ids and the whitespace around texts. */
function sayingsOf({ messages, text }: RowSide): unknown {
  if (messages === undefined) return text.trim();
  return messages.map((message) => [
    message.role,
    message.text.trim(),
    message.calls.map(({ name, args }) => [name, args]),
    Array.isArray(message.value.content) ? message.value.content : "",
    message.value.reasoning_content ?? "",
  ]);
}

/** The calls of a side, without ids. */
function actsOf({ messages = [] }: RowSide): unknown {
  return messages.flatMap(({ calls }) => calls.map(({ name, args }) => [name, args]));
}
