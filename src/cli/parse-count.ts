import { InvalidArgumentError } from "commander";

/** A whole number from 0, as an option's value. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) {
    throw new InvalidArgumentError("It must be a whole number from 0.");
  }
  return count;
}
