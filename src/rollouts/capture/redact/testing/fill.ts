/** Characters of a class in a scrambled order, so that the sources contain no complete key. */
export function fill(length: number, chars = "q7Zk2Vx9Lm4Tb8Rw3Hn6Ys5Pd0Jc1Fg"): string {
  return Array.from({ length }, (_, index) => chars[(index * 7) % chars.length]).join("");
}

export const hex = (length: number): string => fill(length, "3f9a0c7e5b1d8642");
export const upper = (length: number): string => fill(length, "Q7ZK2VX9LM4TB8RW3HN6YS5PD");
