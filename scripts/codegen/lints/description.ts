import { walkDefinitions } from "../walk-definitions.js";
import type { Lint } from "./lint.js";

export const description: Lint = {
  id: "description",
  purpose: "Every schema, every definition and every property says what it is.",
  *find({ schemas }) {
    for (const { file, document } of schemas) {
      if (isBlank(document.description)) yield { file, pointer: "", message: PROBLEM };
      for (const { node, pointer, path } of walkDefinitions(document)) {
        const isNamed = path.at(-2) === "$defs" || path.at(-2) === "properties";
        if (isNamed && isBlank(node.description)) yield { file, pointer, message: PROBLEM };
      }
    }
  },
};

const PROBLEM = 'has no "description": say what it is, with unit and range';

function isBlank(text: string | undefined): boolean {
  return text === undefined || text.trim() === "";
}
