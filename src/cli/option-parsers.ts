import { InvalidArgumentError } from "commander";

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
