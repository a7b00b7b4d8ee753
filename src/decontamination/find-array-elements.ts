/** Where an element of a JSON array begins. */
export interface ArrayElement {
  /** Line, from 1. */
  readonly line: number;
  /** Offset in UTF-16 code units. */
  readonly start: number;
}

/**
 * The elements of a JSON array, in order. Linear.
 *
 * @param json a JSON array, blanks around it allowed; if it is not valid, the elements before the
 *   faulty one and the faulty one itself are still right
 */
export function findArrayElements(json: string): ArrayElement[] {
  const elements: ArrayElement[] = [];
  let line = 1;
  let depth = 0;
  let inString = false;
  let elementDue = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (char === "\n") line++;
    if (inString) {
      if (char === "\\") at++;
      else if (char === '"') inString = false;
      continue;
    }
    if (char === " " || char === "\t" || char === "\r" || char === "\n") continue;
    if (elementDue && char !== "]") {
      elements.push({ line, start: at });
      elementDue = false;
    }
    if (char === '"') inString = true;
    else if (char === "[" || char === "{") depth++;
    else if (char === "]" || char === "}") depth--;
    const begins = depth === 1 && char === "[" && elements.length === 0;
    if (begins || (depth === 1 && char === ",")) elementDue = true;
  }
  return elements;
}
