import { createTask } from "./create-task.js";
import { createText } from "./create-text.js";
import { Random } from "./random.js";

/** Evaluation items per rollout: 100,000 against the 20,000 tasks of the full size. */
export const EVAL_ITEMS_PER_ROLLOUT = 5;
/** One item in so many is a task of the rollouts, word for word, so that G3 has something to find. */
const LEAK_EVERY = 1000;

/** Evaluation item: 15 to 55 words, none of them shorter than an n-gram. */
export function createEvalItem(index: number): object {
  const random = new Random("eval item", index);
  const leaks = index % LEAK_EVERY === 0;
  const prompt = leaks
    ? createTask(index / EVAL_ITEMS_PER_ROLLOUT)
    : createText(random, random.integer(15, 55), index % 10 === 7);
  return { id: `eval-${index}`, prompt };
}
