/** The longest that a timer of Node can be, in milliseconds; for a longer one it takes 1. */
export const MAX_TIMER_MS = 2 ** 31 - 1;
