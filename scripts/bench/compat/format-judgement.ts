import { formatRows } from "../../../src/cli/output.js";
import { type Answer, isGreen, type Judgement } from "./judge-pairs.js";

/** The figures, and each answer that falls short. */
export function formatJudgement(judgement: Judgement): string {
  const { pairs, questions, right, wrong, undecided, witnesses, invalidWitnesses, milliseconds } =
    judgement;
  return [
    formatRows([
      ["pairs", `${pairs}, each asked in both directions`],
      ["right", `${right} of ${questions}`],
      ["wrong", `${wrong.length}`],
      ["undecided", `${undecided.length} (${((100 * undecided.length) / questions).toFixed(1)} %)`],
      ["witnesses", `${witnesses} verified, ${invalidWitnesses.length} that prove nothing`],
      ["time", `${(milliseconds / 1000).toFixed(1)} s`],
      ["bar", isGreen(judgement) ? "met" : "falls short"],
    ]),
    ...wrong.map(describe),
    ...undecided.map(describe),
    ...invalidWitnesses.map(
      ({ id, direction }) => `${id} ${direction}: the witness proves nothing\n`,
    ),
  ].join("");
}

function describe({ id, direction, expected, given }: Answer): string {
  return `${id} ${direction}: ${given}, right is ${expected}\n`;
}
