import { type Bench, bestTimes, type Racer, type Runs, runsOf } from "./bench.js";
import { type InputId, SHAPES } from "./input-branches.js";
import { nameNode } from "./node-binaries.js";
import { onNode } from "./programs.js";
import { cost, type Measurement, programSpeed } from "./row.js";

/** A program that does the work of ours, or a part of it. */
export interface Peer {
  readonly name: string;
  racer(bench: Bench, input: InputId): Racer;
  /** Whether it is a program of Node, to be run by the same version as ours. */
  readonly isNode?: boolean;
  /** How often the peer's time must be ours at least; undefined without a bar. */
  readonly speed?: number;
  /** Maximum of our processor time, in that of the peer; undefined without a bar. */
  readonly cost?: number;
}

/** Our program against its peers. */
export interface Contest {
  ours(bench: Bench, input: InputId): Racer;
  readonly peers: readonly Peer[];
}

/** Holds a contest on each shape of input, on each version of Node. All programs of a shape run in one race. */
export async function compete(bench: Bench, contest: Contest): Promise<Measurement[]> {
  const measurements: Measurement[] = [];
  for (const shape of SHAPES) measurements.push(...(await competeOn(bench, shape, contest)));
  return measurements;
}

async function competeOn(bench: Bench, shape: InputId, contest: Contest): Promise<Measurement[]> {
  const ours = contest.ours(bench, shape);
  const others = contest.peers.map((peer) => ({ peer, racer: peer.racer(bench, shape) }));
  const pairings = bench.nodes.flatMap((node) => {
    const first = onNode(node, ours);
    return others.map(({ peer, racer }) => ({
      peer,
      label: `${shape}, ${nameNode(node)}`,
      ours: first,
      theirs: peer.isNode ? onNode(node, racer) : racer,
    }));
  });
  const runs = await bench.race(new Set(pairings.flatMap(({ ours, theirs }) => [ours, theirs])));
  requireSameRecords(runs);
  return pairings.flatMap(({ peer, label, ours, theirs }) => {
    const sides = [bestTimes(runs, ours), bestTimes(runs, theirs)] as const;
    const which = { label, peer: peer.name };
    const bar = peer.speed === undefined ? undefined : { atLeast: peer.speed };
    const fast = programSpeed(sides, bar, which);
    return peer.cost === undefined ? [fast] : [fast, cost(sides, { atMost: peer.cost }, which)];
  });
}

/** Throws if programs that write records wrote different numbers of them, or none. */
function requireSameRecords(runs: Runs): void {
  const written = [...runs.keys()]
    .flatMap((racer) => runsOf(runs, racer))
    .map(({ records }) => records)
    .filter((records) => records.length > 0);
  const counts = new Set(written.map((records) => records.join(" + ")));
  if (counts.size > 1 || written.flat().includes(0)) {
    throw new Error(`the programs wrote no or different records: ${[...counts].join(", ")}`);
  }
}
