/** Work that can be done a bit at a time: it yields when enough is done for one turn, and returns what it gives. */
export type Walk<T> = Generator<undefined, T, undefined>;

/** How many characters are looked at between two yields of a walk; about 2 ms of work. */
export const TURN = 16_384;

/** Counts the characters that a walk has looked at. */
export interface Meter {
  /** Notes some more; true when it is time to yield. */
  spend(characters: number): boolean;
}

/** What a value costs that has no characters, or few. */
const LEAST = 64;

export function createMeter(): Meter {
  let spent = 0;
  return {
    spend(characters) {
      spent += LEAST + characters;
      if (spent < TURN) return false;
      spent = 0;
      return true;
    },
  };
}

/** Does all of it at once. */
export function finish<T>(walk: Walk<T>): T {
  let step = walk.next();
  while (step.done !== true) step = walk.next();
  return step.value;
}
