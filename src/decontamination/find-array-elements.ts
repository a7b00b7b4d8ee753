/** Where an element of a JSON array begins. */
export interface ArrayElement {
  /** Line, from 1. */
  readonly line: number;
  /** Offset in UTF-16 code units. */
  readonly start: number;
}

/**
 * The elements of the JSON array `json`, in order; blanks around it are allowed. Of an array that is
 * not valid, the elements up to the faulty one, and it too, are still right. Linear.
 */
export function findArrayElements(json: string): ArrayElement[] {
  const elements: ArrayElement[] = [];
  let line = 1;
  let depth = 0;
  let inString = false;
  let elementDue = false;
  for (let at = 0; at < json.length; at += 1) {
    const char = json[at];
    if (char === "\n") line += 1;
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
      continue;
    }
    if (char === " " || char === "\t" || char === "\r" || char === "\n") continue;
    if (elementDue && char !== "]") {
      elements.push({ line, start: at });
      elementDue = false;
    }
    if (char === '"') inString = true;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
    const begins = depth === 1 && char === "[" && elements.length === 0;
    if (begins || (depth === 1 && char === ",")) elementDue = true;
  }
  return elements;
}
