import { EXIT, UserError } from "../../src/user-error.js";
import type { Fixture } from "../fixtures/fixture.js";
import { type Definitions, definitionOf } from "../schemas/link-definitions.js";
import type { SchemaNode } from "../schemas/schema-node.js";
import { findFailures, type Swap, visitsOf } from "./find-failures.js";
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

/** A record that reaches a node, and where in the record. */
export interface Reach {
  readonly judged: JudgedRecord;
  readonly path: readonly string[];
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
    if (!this.definitions.has(fixture.type)) {
      const problem = `is of the type ${fixture.type}, which no schema defines`;
      throw new UserError(`${fixture.file} ${problem}`, EXIT.findings);
    }
    const { node } = definitionOf(fixture.type, this.definitions);
    for (const record of recordsOf(fixture.content)) {
      const judged = { fixture, record, failures: this.failuresOf(fixture.type, record) };
      const seen = new Set<SchemaNode>();
      for (const visit of visitsOf(node, record, this.definitions)) {
        if (seen.has(visit.node)) continue;
        seen.add(visit.node);
        const reaches = this.#reaches.get(visit.node) ?? [];
        this.#reaches.set(visit.node, reaches);
        reaches.push({ judged, path: visit.path });
      }
    }
  }

  /** The fixtures that reach a node, each with the first place where it does. */
  reachesOf(node: SchemaNode): readonly Reach[] {
    return this.#reaches.get(node) ?? [];
  }

  failuresOf(type: string, record: unknown, swap?: Swap): Set<string> {
    return findFailures(definitionOf(type, this.definitions).node, record, this.definitions, swap);
  }

  /**
   * The first fixture that tells a mutant from the schema: one that the schema refuses and that fails
   * otherwise when the mutant is looser, one that the schema accepts and that fails when it is tighter.
   * What breaks a semantic rule alone is accepted by the schema.
   */
  findKiller(swap: Swap, direction: Direction): JudgedFixture | undefined {
    return this.reachesOf(swap.node).find(({ judged: { fixture, record, failures } }) => {
      if (failures.size > 0 !== (direction === "loosened")) return false;
      return !isSameSet(failures, this.failuresOf(fixture.type, record, swap));
    })?.judged.fixture;
  }
}

export function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((member) => other.has(member));
}
