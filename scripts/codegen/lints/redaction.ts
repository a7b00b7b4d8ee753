import { type Definitions, definitionOf } from "../../../conformance/schemas/definitions.js";
import type { PlacedNode } from "../../../conformance/schemas/nodes.js";
import { type SchemaNode, typesOf } from "../../../conformance/schemas/nodes.js";
import { REDACT } from "../../../src/schemas/keywords.js";
import { walkDefinitions } from "../definitions.js";
import type { Lint } from "../lints.js";
import { REDACT_VALUES } from "../redaction/to-place.js";

type RedactValue = (typeof REDACT_VALUES)[number];

export const redaction: Lint = {
  id: "redaction",
  purpose: `Every "${REDACT}" is known, and stands where it says something.`,
  *find({ schemas, definitions }) {
    for (const { file, document } of schemas) {
      for (const placed of walkDefinitions(document)) {
        const { node, pointer } = placed;
        if (!Object.hasOwn(node, REDACT)) continue;
        const message = findProblem(placed, definitions);
        if (message !== undefined) yield { file, pointer: `${pointer}/${REDACT}`, message };
      }
    }
  },
};

function findProblem({ node, path }: PlacedNode, definitions: Definitions): string | undefined {
  const said = node[REDACT];
  if (!isKnown(said)) return `is none of ${REDACT_VALUES.join(", ")}`;
  if (path.includes("additionalProperties"))
    return "is not read here: fields without a name are open";
  const types = typesOf(resolve(node, definitions));
  const isOf = (...some: readonly string[]): boolean =>
    types.some((type) => some.includes(type)) &&
    types.every((type) => type === "null" || some.includes(type));
  const problems: Readonly<Record<RedactValue, string | false>> = {
    record: (path.length !== 2 || !isOf("object")) && "is for definitions of objects",
    identifier: !isOf("string") && "is for texts",
    fixed: node.pattern === undefined && 'is for texts with a "pattern" beside it',
    measures: !isOf("object", "array") && "is for objects and arrays",
    open: false,
  };
  return problems[said] || undefined;
}

function isKnown(said: unknown): said is RedactValue {
  return REDACT_VALUES.some((value) => value === said);
}

/** The node itself, or what it refers to. */
function resolve(node: SchemaNode, definitions: Definitions): SchemaNode {
  const names = new Set<string>();
  let found = node;
  while (found.$ref !== undefined && !names.has(found.$ref)) {
    const name = found.$ref.replace(/^.*#\/\$defs\//, "");
    names.add(found.$ref);
    found = definitionOf(name, definitions).node;
  }
  return found;
}
