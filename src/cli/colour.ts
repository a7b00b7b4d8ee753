import type { OutputStream } from "./command.js";

/**
 * Whether a stream gets colours. As in Node, `FORCE_COLOR` decides if it is set (`0` and `false` are no); otherwise a
 * terminal gets them unless `NO_COLOR` (https://no-color.org) or `TERM=dumb` forbids it.
 */
export function hasColour(
  { isTTY }: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (env.FORCE_COLOR !== undefined) return !["0", "false"].includes(env.FORCE_COLOR);
  return isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
}
