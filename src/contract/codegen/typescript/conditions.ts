type Operator = "===" | "!==" | "<" | "<=" | ">" | ">=";

/** A condition of generated code. `atom`: an expression that binds more closely than any operator, such as a call. */
export type Condition =
  | { readonly kind: "atom"; readonly text: string }
  | {
      readonly kind: "compare";
      readonly left: string;
      readonly operator: Operator;
      readonly right: string;
    }
  | { readonly kind: "not"; readonly part: Condition }
  | { readonly kind: "&&" | "||"; readonly parts: readonly Condition[] };

export function isTrue(condition: Condition): boolean {
  return condition.kind === "&&" && condition.parts.length === 0;
}

export function isFalse(condition: Condition): boolean {
  return isTrue(not(condition));
}

export function call(name: string, ...parameters: readonly string[]): Condition {
  return { kind: "atom", text: `${name}(${parameters.join(", ")})` };
}

export function compare(left: string, operator: Operator, right: string | number): Condition {
  return { kind: "compare", left, operator, right: `${right}` };
}

export function all(parts: readonly Condition[]): Condition {
  return join("&&", parts);
}

export function any(parts: readonly Condition[]): Condition {
  return join("||", parts);
}

function join(kind: "&&" | "||", given: readonly Condition[]): Condition {
  const parts = given.flatMap((part) => (part.kind === kind ? part.parts : [part]));
  const decisive = parts.find(kind === "&&" ? isFalse : isTrue);
  if (decisive !== undefined) return decisive;
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, parts };
}

const OPPOSITES: Readonly<Partial<Record<Operator, Operator>>> = { "===": "!==", "!==": "===" };

/** Not so. Comparisons of order stay as they are: `NaN` is neither less nor more than any number. */
export function not(condition: Condition): Condition {
  switch (condition.kind) {
    case "not":
      return condition.part;
    case "&&":
      return { kind: "||", parts: condition.parts.map(not) };
    case "||":
      return { kind: "&&", parts: condition.parts.map(not) };
    case "compare": {
      const operator = OPPOSITES[condition.operator];
      return operator === undefined ? { kind: "not", part: condition } : { ...condition, operator };
    }
    default:
      return { kind: "not", part: condition };
  }
}

export function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case "atom":
      return condition.text;
    case "compare":
      return `${condition.left} ${condition.operator} ${condition.right}`;
    case "not":
      return `!${enclose(condition.part, (kind) => kind !== "atom")}`;
    default:
      if (condition.parts.length === 0) return String(isTrue(condition));
      return condition.parts
        .map((part) => enclose(part, (kind) => kind === "&&" || kind === "||"))
        .join(` ${condition.kind} `);
  }
}

function enclose(condition: Condition, isLoose: (kind: Condition["kind"]) => boolean): string {
  const text = printCondition(condition);
  return isLoose(condition.kind) ? `(${text})` : text;
}
