import { escapeControls } from "../../../src/text.js";
import type { SchemaNode } from "../../schemas/schema-node.js";
import type { Change, Operator, Witness } from "./operator.js";
import { NEVER } from "./parts/never.js";

export const pattern: Operator = {
  keyword: "pattern",
  purpose: "a text that the pattern does not match, at either end too, is refused",
  loosen(node) {
    if (node.pattern === undefined) return [];
    const { pattern: source, ...free } = node;
    const witnesses = misfits(source);
    const at = ["pattern"];
    const changes: Change[] = [{ at, change: "has no pattern", mutant: free, witnesses }];
    for (const [change, anchor] of ANCHORS) {
      const loose = source.replace(anchor, "");
      if (loose !== source)
        changes.push({ at, change, mutant: { ...node, pattern: loose }, witnesses });
    }
    return changes;
  },
  tighten(node) {
    if (node.pattern === undefined) return [];
    const why = `% matches ${node.pattern}`;
    const witness: Witness = { name: "well-formed-%", why, toValue: (valid) => valid };
    const change = "matches no text";
    return [{ at: ["pattern"], change, mutant: NEVER, witnesses: [witness] }];
  },
};

const ANCHORS = [
  ["is not held at the beginning", /^\^/],
  ["is not held at the end", /(?<!\\)\$$/],
] as const;

/** Texts near a match: what goes wrong when somebody cuts, pads or prints a value otherwise. */
function misfits(source: SchemaNode["pattern"]): Witness[] {
  const misfit = (name: string, what: string, change: (text: string) => string): Witness => ({
    name,
    why: escapeControls(`% ${what}, but must match ${source}`),
    toValue: (valid) => (typeof valid === "string" ? change(valid) : valid),
  });
  return [
    misfit("too-long-%", "has its last character twice", (text) => text + text.slice(-1)),
    misfit("too-short-%", "lacks its last character", (text) => text.slice(0, -1)),
    misfit("padded-%", "has a space before it", (text) => ` ${text}`),
    misfit("trailing-newline-in-%", "ends with a newline", (text) => `${text}\n`),
    misfit("empty-%", "is empty", () => ""),
    misfit("malformed-%", "is ?", () => "?"),
  ];
}
