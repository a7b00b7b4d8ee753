/** Who reads what: new readers old data, or old readers new data. */
export const DIRECTIONS = ["backward", "forward"] as const;
export type Direction = (typeof DIRECTIONS)[number];
