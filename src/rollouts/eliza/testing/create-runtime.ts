import type { Handler } from "../patch.js";

/** The parts of an action that the plugin uses. */
interface SmallAction {
  readonly name: string;
  readonly handler: Handler;
}

/** The parts of a runtime that the plugin uses; its actions may be odd. */
export interface SmallRuntime {
  readonly agentId: string;
  readonly actions: SmallAction[];
  readonly logged: string[];
  readonly logger: Readonly<Record<"info" | "warn" | "error", (message: string) => void>>;
  messageService: unknown;
  registerAction(action: SmallAction): void;
  /** Runs all actions in sequence, and returns their results. */
  processActions(...args: unknown[]): Promise<unknown[]>;
  stop(): Promise<void>;
}

export function createRuntime(agentId = "agent-123"): SmallRuntime {
  const logged: string[] = [];
  const log = (message: string): void => {
    logged.push(message);
  };
  return {
    agentId,
    actions: [],
    logged,
    logger: { info: log, warn: log, error: log },
    messageService: null,
    registerAction(action) {
      this.actions.push(action);
    },
    async processActions(message, responses, state, callback, options) {
      const results: unknown[] = [];
      for (const action of this.actions) {
        results.push(await action.handler(this, message, state, options, callback, responses));
      }
      return results;
    },
    async stop() {},
  };
}

/** A user's message. */
export function messageOf(text: unknown): object {
  return { entityId: "user", roomId: "room", content: { text } };
}
