import { styleText } from "node:util";

/** A stream that may be a terminal. */
export type OutputStream = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  /** Width of the terminal, in characters. */
  readonly columns?: number;
};

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

type Style = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it as it is where there are no colours. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}
