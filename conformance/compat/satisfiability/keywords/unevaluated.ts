import type { SchemaLocation } from "../../schema-set.js";
import { type Evaluated, type EvaluationCase, evaluationCases } from "../evaluated.js";
import { all, any, type Formula, isType } from "../formula.js";
import type { Keyword, KeywordContext, Part } from "./keyword.js";

type Name = "unevaluatedProperties" | "unevaluatedItems";

export const unevaluatedProperties = unevaluated("unevaluatedProperties", {
  holds: ({ names, patterns, allProperties }, is) => {
    if (allProperties) return [];
    return [{ kind: "each-property", names: { except: names, notMatching: patterns }, is }];
  },
  fails: ({ names, patterns, allProperties }, is) => {
    if (allProperties) return [];
    const left = { except: names, notMatching: patterns };
    return [all(isType("object"), { kind: "some-property", names: left, is })];
  },
});

export const unevaluatedItems = unevaluated("unevaluatedItems", {
  holds: ({ items: from, allItems }, is) =>
    allItems ? [] : [{ kind: "each-item", from, to: Number.POSITIVE_INFINITY, is }],
  fails: ({ items: from, allItems }, is) =>
    allItems ? [] : [all(isType("array"), { kind: "some-item", from, is })],
});

interface Demands {
  /** What holds of all that is left over. */
  holds(evaluated: Evaluated, is: Formula): readonly Formula[];
  /** That something is left over of which it does not: none where nothing is. */
  fails(evaluated: Evaluated, is: Formula): readonly Formula[];
}

/** What one validator accepts may hold, and what one rejects may fail. */
function unevaluated(name: Name, { holds, fails }: Demands): Keyword {
  return {
    names: [name],
    parts: (context) => {
      const cases = evaluationCases(context.location, name);
      if (cases === undefined) return [tooMany(name)];
      const [valid, invalid] = [context.at(`/${name}`, true), context.at(`/${name}`, false)];
      return [
        {
          holds: all(
            ...(cases.some((each) => isDisputed(each, name)) ? [toDispute(context, name)] : []),
            any(...cases.map(({ when, maybe }) => all(...when, ...holds(maybe, valid)))),
          ),
          fails: any(
            ...cases.flatMap(({ when, surely }) =>
              fails(surely, invalid).map((failure) => all(...when, failure)),
            ),
          ),
        },
      ];
    },
  };
}

function isDisputed({ surely, maybe }: EvaluationCase, name: Name): boolean {
  if (name === "unevaluatedItems") {
    return surely.allItems !== maybe.allItems || surely.items !== maybe.items;
  }
  if (surely.allProperties || maybe.allProperties) {
    return surely.allProperties !== maybe.allProperties;
  }
  return (
    surely.names.length !== maybe.names.length || surely.patterns.length !== maybe.patterns.length
  );
}

const EVALUATING = [
  ...["properties", "patternProperties", "additionalProperties", "unevaluatedProperties"],
  ...["prefixItems", "items", "contains", "unevaluatedItems", "$ref", "$dynamicRef"],
  ...["allOf", "anyOf", "oneOf", "if", "then", "else", "dependentSchemas"],
];

/** It is the same where all keywords are on which it depends what is evaluated. */
function toDispute({ schema, location }: KeywordContext, keyword: Name): Formula {
  const entries = Object.entries(schema).filter(([name]) => EVALUATING.includes(name));
  const evaluating: SchemaLocation = { ...location, schema: Object.fromEntries(entries) };
  return { kind: "opaque", keyword, what: "", location: evaluating };
}

/** Nobody knows; the same keyword elsewhere need not say the same. */
function tooMany(keyword: Name): Part {
  const opaque: Formula = { kind: "opaque", keyword, what: undefined };
  return { holds: opaque, fails: opaque };
}
