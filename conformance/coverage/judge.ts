import { isDeepStrictEqual } from "node:util";
import { EXIT, UserError } from "../../src/user-error.js";
import type { Fixture } from "../fixtures/fixture.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";
import { findFailures, type Swap, visitNodes } from "./find-failures.js";
import { recordsOf } from "./records-of.js";

/** What the judge needs of a fixture. */
export interface JudgedFixture extends Pick<Fixture, "kind" | "file" | "content"> {
  readonly type: string;
}

/** Whether a mutant accepts more than the schema, or less. */
export type Direction = "loosened" | "tightened";

/** A record of a fixture with the schema's verdict on it. */
export interface JudgedRecord {
  readonly fixture: JudgedFixture;
  readonly record: unknown;
  /** Each as `pointer keyword`. */
  readonly failures: ReadonlySet<string>;
}

/** A record that reaches a node, and the pointers of the values that the node judges in it. */
export interface Reach {
  readonly judged: JudgedRecord;
  readonly pointers: readonly [string, ...string[]];
}

/** Judges fixtures by the schemas and by their mutants. */
export class Judge {
  readonly definitions: Definitions;
  /** Fixtures by the nodes that judge a part of them: a mutant of a node concerns no others. */
  readonly #reaches = new Map<SchemaNode, Reach[]>();

  constructor(fixtures: readonly JudgedFixture[], definitions: Definitions) {
    this.definitions = definitions;
    for (const fixture of fixtures) this.add(fixture);
  }

  /** Throws UserError for a fixture of a type that the schemas do not define. */
  add(fixture: JudgedFixture): void {
    const { type, file, content } = fixture;
    const definition = this.definitions.get(type);
    if (definition === undefined) {
      const problem = `is of the type ${type}, which no schema defines`;
      throw new UserError(`${file} ${problem}`, EXIT.findings);
    }
    for (const record of recordsOf(content)) {
      const judged = { fixture, record, failures: this.failuresOf(type, record) };
      const pointers = new Map<SchemaNode, [string, ...string[]]>();
      visitNodes(definition.node, record, this, (node, _, pointer) => {
        const known = pointers.get(node);
        if (known === undefined) pointers.set(node, [pointer]);
        else known.push(pointer);
      });
      for (const [node, places] of pointers) this.#addReach(node, { judged, pointers: places });
    }
  }

  #addReach(node: SchemaNode, reach: Reach): void {
    const reaches = this.#reaches.get(node);
    if (reaches === undefined) this.#reaches.set(node, [reach]);
    else reaches.push(reach);
  }

  /** The records that a node judges a part of. */
  reachesOf(node: SchemaNode): readonly Reach[] {
    return this.#reaches.get(node) ?? [];
  }

  /** A fixture of the type that holds the same record. */
  findTwin(type: string, record: unknown): JudgedFixture | undefined {
    const reaches = this.reachesOf(definitionOf(type, this.definitions).node);
    return reaches
      .map(({ judged }) => judged)
      .find((judged) => judged.fixture.type === type && isDeepStrictEqual(judged.record, record))
      ?.fixture;
  }

  failuresOf(type: string, record: unknown, swap?: Swap): Set<string> {
    const { definitions } = this;
    return findFailures(definitionOf(type, definitions).node, record, { definitions, swap });
  }

  /**
   * The first fixture that tells a mutant from the schema: one that the schema refuses and that fails
   * otherwise when the mutant is looser, one that the schema accepts and that fails when it is tighter.
   * What breaks a semantic rule alone is accepted by the schema.
   */
  findKiller(swap: Swap, direction: Direction): JudgedFixture | undefined {
    return this.reachesOf(swap.node).find((reach) => {
      const { fixture, record, failures } = reach.judged;
      const canTell = direction === "loosened" ? failsWithin(reach) : failures.size === 0;
      return canTell && !isSameSet(failures, this.failuresOf(fixture.type, record, swap));
    })?.judged.fixture;
  }
}

/** Whether anything fails at a place that the node judges, or below: only that can a looser node forgive. */
function failsWithin({ judged: { failures }, pointers }: Reach): boolean {
  return [...failures].some((failure) =>
    pointers.some(
      (pointer) => failure.startsWith(`${pointer}/`) || failure.startsWith(`${pointer} `),
    ),
  );
}

export function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}
