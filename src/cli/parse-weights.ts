import { InvalidArgumentError } from "commander";
import { DEFAULT_WEIGHTS, requireWeights, type ScoreWeights } from "../scoring/score.js";
import { previewValue } from "../text.js";

const NAMES = Object.keys(DEFAULT_WEIGHTS);

const ADVICE = `write ${NAMES.map((name) => `${name}=NUMBER`).join(",")}.`;

/** A decimal number from 0; neither a sign, nor hexadecimal, nor the words for what is no number. */
const DECIMAL = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Weights of a score, as an option's value: `objective=1,judge=0.3`, in any order. Each has to be given,
 * once: by half of them nobody could tell on what scale the scores are.
 */
export function parseWeights(text: string): ScoreWeights {
  const given = new Map<string, number>();
  for (const item of text.split(",")) {
    const [name, weight] = parseWeight(item);
    if (given.has(name)) throw new InvalidArgumentError(`It gives ${name} twice.`);
    given.set(name, weight);
  }
  const take = (name: keyof ScoreWeights): number => {
    const weight = given.get(name);
    if (weight === undefined) throw new InvalidArgumentError(`It lacks ${name}: ${ADVICE}`);
    return weight;
  };
  return checkWeights({ objective: take("objective"), judge: take("judge") });
}

function parseWeight(item: string): [name: string, weight: number] {
  const [name = "", value] = item.split(/=(.*)/s);
  if (value === undefined) {
    throw new InvalidArgumentError(`It holds ${previewValue(item)}: ${ADVICE}`);
  }
  if (!NAMES.includes(name)) {
    throw new InvalidArgumentError(`It names ${previewValue(name)}: ${ADVICE}`);
  }
  if (!DECIMAL.test(value)) {
    throw new InvalidArgumentError(
      `${name} must be a decimal number from 0, is ${previewValue(value)}.`,
    );
  }
  return [name, Number(value)];
}

function checkWeights(weights: ScoreWeights): ScoreWeights {
  try {
    requireWeights(weights);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new InvalidArgumentError("The weights must be finite, and not both 0.");
  }
  return weights;
}
