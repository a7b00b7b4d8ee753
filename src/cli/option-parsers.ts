import { InvalidArgumentError } from "commander";
import { previewValue } from "../base/text.js";
import type { ShardChoice } from "../rollouts/pipeline/partition/manifest.js";
import {
  DEFAULT_WEIGHTS,
  requireWeights,
  type ScoreWeights,
} from "../rollouts/wire/scoring/score.js";

/** Parses a non-negative integer. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError("It must be a non-negative integer.");
  }
  return count;
}

/** Parses a positive integer. */
export function parsePositive(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new InvalidArgumentError("It must be a positive integer.");
  return count;
}

/** Parses one of several shards, such as `3/64`. */
export function parseShard(text: string): ShardChoice {
  const [, number, count] = (/^(\d{1,5})\/(\d{1,5})$/.exec(text) ?? []).map(Number);
  if (number !== undefined && count !== undefined && number >= 1 && number <= count) {
    return { number, count };
  }
  throw new InvalidArgumentError(
    "It must be a number from 1 and that of all shards, such as 3/64.",
  );
}

const BYTES: Readonly<Record<string, number>> = { kb: 1e3, mb: 1e6, gb: 1e9 };

/** Parses a size in decimal units, as `formatBytes` prints it: `500MB`, `1.5 GB`. */
export function parseSize(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?) ?([kmg]b)$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(number) * (BYTES[unit.toLowerCase()] ?? 0));
  if (bytes >= 1 && Number.isSafeInteger(bytes)) return bytes;
  throw new InvalidArgumentError("It must be a size with its unit, such as 500MB or 1.5GB.");
}

/** A non-negative decimal number; not hexadecimal, `NaN` or `Infinity`. */
const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a non-negative number, such as a sampling temperature. */
export function parseNumber(text: string): number {
  const number = Number(text);
  if (!NUMBER.test(text) || !Number.isFinite(number)) {
    throw new InvalidArgumentError("It must be a non-negative number.");
  }
  return number;
}

/** A decimal number from 0 to 1. */
const RATIO = /^(?:0(?:\.\d+)?|\.\d+|1(?:\.0+)?)$/;

/** Parses a ratio. */
export function parseRatio(text: string): number {
  if (!RATIO.test(text)) throw new InvalidArgumentError("It must be a number from 0 to 1.");
  return Number(text);
}

const NAMES = Object.keys(DEFAULT_WEIGHTS);

const ADVICE = `write ${NAMES.map((name) => `${name}=NUMBER`).join(",")}.`;

/** A decimal number without a sign; not hexadecimal, `NaN` or `Infinity`. */
const WEIGHT = /^(?:\d+(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Parses the weights of a score: `objective=1,judge=0.3`, in any order. Each must be given exactly once: with
 * only one, the scale of the scores would be unclear.
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
    throw new InvalidArgumentError(`It contains ${previewValue(item)}: ${ADVICE}`);
  }
  if (!NAMES.includes(name)) {
    throw new InvalidArgumentError(`There is no weight ${previewValue(name)}: ${ADVICE}`);
  }
  if (!WEIGHT.test(value)) {
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
