/** The longest delay of a timer of Node, some 25 days: with a longer one it would fire at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
