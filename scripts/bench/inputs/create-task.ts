import { createText } from "./create-text.js";
import { Random } from "./random.js";

/** Task of a rollout: 20 to 56 words, one in ten with words beyond ASCII. */
export function createTask(rollout: number): string {
  const random = new Random("task", rollout);
  return createText(random, random.integer(20, 56), rollout % 10 === 3);
}
