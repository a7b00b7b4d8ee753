import { type Definitions, definitionOf } from "../../../conformance/schemas/definitions.js";
import { refsOf } from "../refs-of.js";
import type { Lint } from "./lint.js";

export const unreachable: Lint = {
  id: "unreachable",
  purpose: "Every definition is a part of the type of some line.",
  *find({ schemas, definitions }) {
    const reached = new Set<string>();
    for (const { entryTypes } of schemas) {
      for (const name of entryTypes) reach(name, definitions, reached);
    }
    for (const { name, schema } of definitions.values()) {
      if (reached.has(name)) continue;
      const message = "is part of no type of a line: list it in /anyOf, refer to it, or remove it";
      yield { file: schema.file, pointer: `/$defs/${name}`, message };
    }
  },
};

function reach(name: string, definitions: Definitions, reached: Set<string>): void {
  if (reached.has(name)) return;
  reached.add(name);
  for (const ref of refsOf(definitionOf(name, definitions).node)) reach(ref, definitions, reached);
}
