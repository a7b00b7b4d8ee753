import { pointerTokens, resolvePointer, toPointerToken } from "../../../base/json/pointer.js";
import { scanJson } from "../../../base/json/tokens.js";

/** The keys of whole numbers that a record has with a fraction or an exponent, such as 1.0, by what contains them. */
const fractional = new WeakMap<object, Set<string | number>>();

/** What contains the record that was read last. */
let last: object = {};

/** Remembers how the numbers of a record are written. */
export function recordNumbers(text: string, record: unknown): void {
  last = [record];
  if (!/\d[.eE]/.test(text)) return;
  for (const { kind, start, end, pointer } of scanJson(text)) {
    const number = text.slice(start, end);
    if (kind !== "number" || !/[.eE]/.test(number) || !Number.isInteger(Number(number))) continue;
    const tokens = pointerTokens(`/0${pointer()}`);
    const above = tokens.slice(0, -1).map((token) => `/${toPointerToken(token)}`);
    const container = Object(resolvePointer(last, above.join("")));
    const known = fractional.get(container) ?? new Set();
    fractional.set(container, known.add(tokens.at(-1) ?? ""));
  }
}

/** Whether a number is written without a fraction and an exponent. `container`: undefined for the record itself. */
export function isWrittenWhole(container: object | undefined, key: string | number): boolean {
  const keys = fractional.get(container ?? last);
  return keys?.has(container === undefined ? "0" : String(key)) !== true;
}
