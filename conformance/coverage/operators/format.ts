import type { Operator } from "./operator.js";
import { NEVER } from "./parts/never.js";

export const format: Operator = {
  keyword: "format",
  purpose: "a text of another format is refused, and one of the format is used",
  loosen(node) {
    if (node.format === undefined) return [];
    const { format: name, ...free } = node;
    const why = `% is no ${name}`;
    const witnesses = [{ name: "malformed-%", why, toValue: () => `no ${name}` }];
    return [{ at: ["format"], change: "has no format", mutant: free, witnesses }];
  },
  tighten(node) {
    if (node.format === undefined) return [];
    const why = `% is a ${node.format}`;
    const witnesses = [{ name: "well-formed-%", why, toValue: (valid: unknown) => valid }];
    return [{ at: ["format"], change: "allows no text", mutant: NEVER, witnesses }];
  },
};
