import { escapeControls } from "../../text.js";
import type { CaptureLogger } from "./capture-logger.js";

/** Says what has changed, once for each change: a destination that is down for a night is two lines. */
export class StateLog {
  readonly #logger: CaptureLogger | undefined;
  readonly #states = new Map<string, string>();

  constructor(logger: CaptureLogger | undefined) {
    this.#logger = logger;
  }

  /** Notes that `topic` is now in `state`, and says so unless it was before. */
  enter(topic: string, state: string, level: keyof CaptureLogger, message: () => string): void {
    if (this.#states.get(topic) === state) return;
    this.#states.set(topic, state);
    this.say(level, message());
  }

  /** As if `topic` had not been spoken of. Gives whether it was. */
  leave(topic: string): boolean {
    return this.#states.delete(topic);
  }

  isIn(topic: string, state: string): boolean {
    return this.#states.get(topic) === state;
  }

  say(level: keyof CaptureLogger, message: string): void {
    try {
      this.#logger?.[level](`rollout-wire: ${escapeControls(message)}`);
    } catch {
      // A logger that fails is not the agent's concern.
    }
  }
}
