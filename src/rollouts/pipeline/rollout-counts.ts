import { SecretCounter } from "../capture/redact/line-redactor.js";
import type { BuiltPair } from "../wire/export/build-rollout.js";
import { OMISSION_REASONS } from "../wire/export/reasons.js";
import { EMPTY_RANGE, joinRanges } from "./positions.js";
import type { SerializedBuild, SerializedRollout } from "./serializer.js";

/** Maximum number of rollouts that are listed for a reason, and of listed pairs. */
export const MAX_LISTED = 100;

/** The rollouts that were left out of a file for one reason. */
interface OmittedRollouts {
  readonly count: number;
  /** Ids of the first ones. */
  readonly rollouts: readonly string[];
}

export type Omissions = ReadonlyMap<string, OmittedRollouts>;

/** A pair, and the rollout that it belongs to. */
interface ListedPair extends BuiltPair {
  readonly rollout: string;
}

const ORDER: readonly string[] = OMISSION_REASONS;

/** Counts the rollouts of a run by outcome: each is exported, faulty or contaminated. */
export class RolloutCounts {
  /** Number of exported rollouts and of their branches. */
  rollouts = 0;
  branches = 0;
  /** Number of rollouts that violate a rule, and of their branches. */
  faulty = { rollouts: 0, branches: 0 };
  /** Number of rollouts that were omitted because they overlap the evaluation set, and of their branches. */
  contaminated = { rollouts: 0, branches: 0 };
  /** Number of pairs whose prompt has the words of the chosen branch only. */
  sameActs = 0;
  /** Number of branches that were passed over for one of equal total score. */
  passedOver = 0;
  /** Number of branches without a reward record, where these are written. */
  unrewarded = 0;
  /** Number of tool events that are in no record. */
  unreadableToolEvents = 0;
  /** Number of branches that call tools and declare none. */
  missingTools = 0;
  /** Range of the sampling temperatures of the exported branches. */
  temperatures = EMPTY_RANGE;
  /** Range of the number of branches per exported rollout. */
  branchesPerRollout = EMPTY_RANGE;
  /** The secrets that were replaced in the exported branches. */
  readonly secrets = new SecretCounter();
  readonly #pairs: ListedPair[] = [];
  readonly #omitted: Map<string, { count: number; rollouts: string[] }>[] = [];

  addExported(
    { id, branches, temperatures }: SerializedRollout,
    { pairs = [], omitted, secrets, ...build }: SerializedBuild,
  ): void {
    this.rollouts += 1;
    this.branches += branches;
    this.temperatures = joinRanges(this.temperatures, temperatures);
    this.branchesPerRollout = joinRanges(this.branchesPerRollout, [branches, branches]);
    this.sameActs += build.sameActs ?? 0;
    this.passedOver += build.passedOver ?? 0;
    this.unrewarded += build.unrewarded ?? 0;
    this.unreadableToolEvents += build.unreadableToolEvents;
    this.missingTools += build.missingTools;
    this.secrets.add(secrets ?? []);
    for (const pair of pairs.slice(0, MAX_LISTED - this.#pairs.length)) {
      this.#pairs.push({ ...pair, rollout: id });
    }
    for (const [output, reason] of omitted.entries()) {
      if (reason !== undefined) this.#addOmitted(output, reason, id);
    }
  }

  addFaulty({ branches }: SerializedRollout): void {
    this.faulty.rollouts += 1;
    this.faulty.branches += branches;
  }

  addContaminated({ branches }: SerializedRollout): void {
    this.contaminated.rollouts += 1;
    this.contaminated.branches += branches;
  }

  /** The first pairs, in the order of their rollouts. */
  get pairs(): readonly ListedPair[] {
    return this.#pairs;
  }

  /** The rollouts without a record in an output, by reason, in the fixed order of reasons. */
  omitted(output: number): Omissions {
    const found = [...(this.#omitted[output] ?? [])];
    return new Map(found.toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)));
  }

  #addOmitted(output: number, reason: string, rollout: string): void {
    const reasons = this.#omitted[output] ?? new Map();
    this.#omitted[output] = reasons;
    const known = reasons.get(reason) ?? { count: 0, rollouts: [] };
    reasons.set(reason, known);
    known.count += 1;
    if (known.rollouts.length < MAX_LISTED) known.rollouts.push(rollout);
  }
}
