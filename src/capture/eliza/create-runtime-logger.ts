import { escapeControls } from "../../text.js";
import type { CaptureLogger } from "../delivery/capture-logger.js";
import { readField } from "../read-field.js";
import { isHandler } from "./handler.js";

/** The logger of a runtime, as capture wants it; a runtime without one is silent, and one that throws too. */
export function createRuntimeLogger(runtime: object): CaptureLogger {
  const say = (level: keyof CaptureLogger, message: string): void => {
    try {
      const logger = readField(runtime, "logger");
      const method = readField(logger, level);
      if (isHandler(method))
        Reflect.apply(method, logger, [`rollout-wire: ${escapeControls(message)}`]);
    } catch {
      // What cannot be said is not worth an agent.
    }
  };
  return {
    info: (message) => say("info", message),
    warn: (message) => say("warn", message),
    error: (message) => say("error", message),
  };
}
