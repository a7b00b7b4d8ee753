/** The text that all tasks of the template share: 20 words, 13 n-grams of 8 words. */
export const TEMPLATE =
  "You are reactive to the agent, will not say anything that is not asked, and never give your birthday yourself.";

/** `count` words that occur in no other text: `a0 a1 a2` for the prefix `a`. */
export function uniqueWords(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`).join(" ");
}

/** A text in the style of simulated customers: 20 words of its own, then the template. */
export function templateText(name: string): string {
  return `You are ${name}. ${uniqueWords(name, 17)}. ${TEMPLATE}`;
}
