import type { OutputStream } from "../command.js";
import { createBar } from "../create-bar.js";

/** Tells whoever waits how far a conformance run is. */
export interface CheckProgress {
  /** One more check is done, and was the one with this id. */
  done(id: string): void;
  /** Clears the line. */
  stop(): void;
}

/** A bar on a terminal, and nothing elsewhere. `ids` are those of all checks of the run. */
export function startCheckProgress(ids: readonly string[], stderr: OutputStream): CheckProgress {
  if (stderr.isTTY !== true) return { done() {}, stop() {} };
  const waiting = new Set(ids);
  const bar = createBar(stderr);
  const figures = (): { figures: string } => ({ figures: [...waiting].join(", ") });
  bar.start(ids.length, 0, { phase: "checking  ", ...figures() });
  return {
    done(id) {
      waiting.delete(id);
      bar.increment(1, figures());
    },
    stop: () => bar.stop(),
  };
}
