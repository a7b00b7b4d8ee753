import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Gives a text a style, or leaves it as it is where there are no colours. */
export type Paint = (style: Style, text: string) => string;

export function createPaint(colour: boolean): Paint {
  return (style, text) => (colour ? styleText(style, text, { validateStream: false }) : text);
}
