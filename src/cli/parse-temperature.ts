import { InvalidArgumentError } from "commander";

/** A decimal number from 0; neither hexadecimal nor the words for what is no number. */
const DECIMAL = /^(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** A sampling temperature, as an option's value. */
export function parseTemperature(text: string): number {
  const temperature = Number(text);
  if (!DECIMAL.test(text) || !Number.isFinite(temperature)) {
    throw new InvalidArgumentError("It must be a number from 0.");
  }
  return temperature;
}
