import { pointerTokens } from "../../src/base/json/pointer.js";
import { isJsonObject } from "../../src/base/json/value.js";
import type { Definitions } from "../../src/contract/schemas/definitions.js";
import type { SchemaNode } from "../../src/contract/schemas/nodes.js";
import { type Fixture, placeOf } from "../fixtures/fixture.js";
import { type Evaluator, splitFailure } from "./mutants.js";
import { followPath, recordsOf, valueAt } from "./places.js";

/** A place where a fixture contradicts the schema. */
export interface Contradiction {
  readonly fixture: Fixture<string>;
  /** The schema node that should have the keyword, or should not; undefined if there is none. */
  readonly node: SchemaNode | undefined;
  /** The keyword; undefined if it was removed. */
  readonly keyword: string | undefined;
  /** A sentence. */
  readonly message: string;
}

/**
 * Compares the expectations of fixtures with the schemas themselves. The check `fixtures` uses the generated
 * validators instead, so while generated code is stale, only this comparison reveals a lost constraint.
 */
export function findContradictions(
  fixtures: readonly Fixture<string>[],
  evaluator: Evaluator,
): Contradiction[] {
  return fixtures
    .filter(({ isVague }) => isVague !== true)
    .flatMap((fixture) =>
      recordsOf(fixture.content).flatMap((record, index) => {
        const expected = expectedIn(fixture, index);
        const found = evaluator.failuresOf(fixture.type, record);
        const lost = [...expected].filter((failure) => !found.has(failure));
        const added = [...found].filter((failure) => !expected.has(failure));
        const contradict = (failure: string, isLost: boolean): Contradiction => {
          const [pointer, keyword] = splitFailure(failure);
          const place = pointer === "" ? "the record" : pointer;
          const who = `${placeOf(fixture)} (${fixture.name})`;
          const message = isLost
            ? `${who} expects that ${place} fails ${keyword} here, but it passes`
            : `${who} expects that ${place} passes ${keyword} here, but it fails`;
          const node = findNode(
            { type: fixture.type, record, pointer, keyword },
            evaluator.definitions,
          );
          return { fixture, node, keyword: isLost ? undefined : keyword, message };
        };
        return [
          ...lost.map((failure) => contradict(failure, true)),
          ...added.map((failure) => contradict(failure, false)),
        ];
      }),
    );
}

/** The keywords that a fixture expects to fail in its record, or in one of the branches of its rollout. */
function expectedIn({ content, expect }: Fixture<string>, index: number): Set<string> {
  const prefix = "rollout" in content ? `/${index}` : "";
  const failures = expect.flatMap(({ pointer, keyword }) => {
    const isHere = prefix === "" || pointer === prefix || pointer.startsWith(`${prefix}/`);
    return keyword === undefined || !isHere ? [] : [`${pointer.slice(prefix.length)} ${keyword}`];
  });
  return new Set(failures);
}

interface FailedPlace {
  readonly type: string;
  readonly record: unknown;
  readonly pointer: string;
  readonly keyword: string;
}

/** The node that has a keyword for a place; if there is none, the node that most likely had it. */
function findNode(place: FailedPlace, definitions: Definitions): SchemaNode | undefined {
  const path = pointerTokens(place.pointer);
  const nodes = followPath(place.type, path, definitions)?.nodes ?? [];
  const value = valueAt(place.record, path);
  return (
    nodes.find((node) => place.keyword in node) ??
    nodes.find((node) => place.keyword === "required" && lacksField(node, value)) ??
    nodes.findLast((node) => node.$ref === undefined)
  );
}

function lacksField({ properties = {} }: SchemaNode, value: unknown): boolean {
  return isJsonObject(value) && Object.keys(properties).some((name) => !Object.hasOwn(value, name));
}
