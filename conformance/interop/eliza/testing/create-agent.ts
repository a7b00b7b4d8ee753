import { randomUUID } from "node:crypto";
import {
  AgentRuntime,
  ChannelType,
  type Character,
  type Content,
  type Memory,
  type MessageProcessingOptions,
  ModelType,
  type Plugin,
} from "@elizaos/core";
import { createAdapter } from "./create-adapter.js";

/** What the model decides: which actions to run, or to reply with a text. */
export interface Decision {
  readonly actions: readonly string[];
  readonly text?: string;
}

export interface AgentOptions {
  readonly plugins: readonly Plugin[];
  /** The model, which answers a message with a decision; throwing is an outage. */
  readonly decide?: (prompt: string) => Decision;
  readonly character?: Partial<Character>;
}

export interface TestAgent {
  readonly runtime: AgentRuntime;
  /** Sends a message through the real message path; what reached the user. */
  ask(text: string | undefined, options?: MessageProcessingOptions): Promise<Content[]>;
  start(): Promise<void>;
}

/** A real runtime with a database in memory and a model of ours. */
export function createAgent({ plugins, decide, character }: AgentOptions): TestAgent {
  const models: Plugin = {
    name: "test-models",
    description: "Answers as the test decides.",
    models: {
      [ModelType.TEXT_SMALL]: async (_, { prompt }) => print(prompt),
      [ModelType.TEXT_LARGE]: async (_, { prompt }) => print(prompt),
    },
  };
  const print = (prompt: string): string => {
    const { actions, text = "" } = decide?.(prompt) ?? { actions: ["REPLY"], text: "Hello." };
    const fields = [`<thought>as decided</thought>`, `<actions>${actions.join(",")}</actions>`];
    return `<response>${fields.join("")}<providers></providers><text>${text}</text></response>`;
  };
  const runtime = new AgentRuntime({
    character: { name: `Agent ${randomUUID()}`, bio: "A test.", ...character },
    adapter: createAdapter(),
    plugins: [models, ...plugins],
  });
  const [roomId, worldId, entityId] = [randomUUID(), randomUUID(), randomUUID()];
  return {
    runtime,
    async start() {
      await runtime.initialize();
      await runtime.ensureConnection({
        entityId,
        roomId,
        worldId,
        userName: "User",
        source: "test",
        channelId: roomId,
        type: ChannelType.DM,
      });
    },
    async ask(text, options) {
      const heard: Content[] = [];
      const message: Memory = {
        id: randomUUID(),
        entityId,
        roomId,
        content: {
          ...(text !== undefined && { text }),
          source: "test",
          channelType: ChannelType.DM,
        },
      };
      await runtime.messageService?.handleMessage(
        runtime,
        message,
        async (content) => {
          heard.push(content);
          return [];
        },
        options,
      );
      return heard;
    },
  };
}
