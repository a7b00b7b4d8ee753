import { escapeControls } from "../../../src/base/text.js";
import type { SchemaNode } from "../../../src/contract/schemas/nodes.js";
import { toKebabCase } from "../places.js";
import { type Change, NEVER, type Operator, type Witness } from "./operator.js";

export const constant: Operator = {
  keyword: "const",
  purpose: "every other value is refused, and the constant is used",
  loosen(node) {
    if (node.const === undefined) return [];
    const { const: value, ...free } = node;
    const stranger = typeof value === "number" ? value + 1 : `other-${value}`;
    return [
      {
        at: ["const"],
        change: "allows any value",
        mutant: free,
        witnesses: [
          {
            name: "other-%",
            why: `% is ${JSON.stringify(stranger)}, but must be ${JSON.stringify(value)}`,
            toValue: () => stranger,
          },
        ],
      },
    ];
  },
  tighten(node) {
    if (node.const === undefined) return [];
    const value = node.const;
    return [
      {
        at: ["const"],
        change: `does not allow ${JSON.stringify(value)}`,
        mutant: NEVER,
        witnesses: [
          {
            name: "with-%",
            why: `% is ${JSON.stringify(value)}, its one value`,
            toValue: () => value,
          },
        ],
      },
    ];
  },
};

export const enumeration: Operator = {
  keyword: "enum",
  purpose: "a value that is not listed is refused, and each listed value is used",
  loosen(node) {
    if (node.enum === undefined) return [];
    const { enum: values, ...unlisted } = node;
    const stranger = strangerTo(values);
    return [
      {
        at: ["enum"],
        change: "allows any value of the type",
        mutant: unlisted,
        witnesses: [
          {
            name: "unlisted-%",
            why: `% is ${JSON.stringify(stranger)}, which is none of its values`,
            toValue: () => stranger,
          },
        ],
      },
    ];
  },
  tighten(node) {
    const { enum: values = [] } = node;
    return values.map((value, index) => ({
      at: ["enum", String(index)],
      change: `does not allow ${JSON.stringify(value)}`,
      mutant: without(node, value),
      witnesses: [
        {
          name: `%-${toKebabCase(String(value))}`,
          why: `% is ${JSON.stringify(value)}, one of its values`,
          toValue: () => value,
        },
      ],
    }));
  },
};

function without(node: SchemaNode, value: unknown): SchemaNode {
  const others = (node.enum ?? []).filter((other) => other !== value);
  return others.length === 0 ? NEVER : { ...node, enum: others };
}

/** A value of the same type as the listed ones. */
function strangerTo(values: readonly unknown[]): unknown {
  const numbers = values.filter((value) => typeof value === "number");
  if (numbers.length > 0) return Math.max(...numbers) + 1;
  const candidates = ["other", "another"];
  return candidates.find((candidate) => !values.includes(candidate)) ?? values.join("-");
}

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

/** Texts that nearly match: common mistakes of truncating, padding or formatting a value. */
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
