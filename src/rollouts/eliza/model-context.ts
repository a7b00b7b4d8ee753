import { types } from "node:util";
import type { Message, ModelContext, ToolDefinition } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../base/json/value.js";
import {
  createSnapshotRoom,
  isFull,
  readField,
  type SnapshotRoom,
  toSnapshot,
} from "../capture/snapshot.js";

/** Share of a record's budget for the context; the tool events and the answer have the rest. */
const CONTEXT_SHARE = 0.2;

/** The provider of `@elizaos/plugin-bootstrap` that puts the actions into the prompt. */
const ACTIONS_PROVIDER = "ACTIONS";

/**
 * What a runtime gives its model with a composed `state`: the character's system prompt, and the actions that the
 * state offers, as function definitions in the order of the state. A snapshot; never throws.
 *
 * `messages` is empty if the character has no system prompt. `tools` is absent if the state does not tell which
 * actions it offers: then nobody knows.
 */
export function readModelContext(runtime: unknown, state: unknown): ModelContext {
  const room = createSnapshotRoom(CONTEXT_SHARE);
  const system = readField(readField(runtime, "character"), "system");
  const messages: Message[] =
    typeof system === "string" && system !== ""
      ? [{ role: "system", content: toText(system, room) }]
      : [];
  const tools = findOfferedActions(state)?.flatMap((action) => toTool(action, room) ?? []);
  // A list that does not fit would say that the missing actions were not offered.
  return { messages, ...(tools !== undefined && !isFull(room) && { tools }) };
}

/** The state that the runtime composed last for a message; undefined if there is none. */
export function findComposedState(runtime: unknown, message: unknown): unknown {
  const states = readField(runtime, "stateCache");
  return types.isMap(states) ? Map.prototype.get.call(states, readField(message, "id")) : undefined;
}

function findOfferedActions(state: unknown): readonly unknown[] | undefined {
  const provider = readField(readField(readField(state, "data"), "providers"), ACTIONS_PROVIDER);
  const actions = readField(readField(provider, "data"), "actionsData");
  return Array.isArray(actions) ? actions : undefined;
}

function toTool(action: unknown, room: SnapshotRoom): ToolDefinition | undefined {
  const [name, description] = [readField(action, "name"), readField(action, "description")];
  if (typeof name !== "string" || name === "") return undefined;
  return {
    type: "function",
    function: {
      name: toText(name, room),
      ...(typeof description === "string" && { description: toText(description, room) }),
      parameters: toJsonSchema(toSnapshot(readField(action, "parameters"), room)),
    },
  };
}

function toText(text: string, room: SnapshotRoom): string {
  return String(toSnapshot(text, room));
}

/** The types of JSON Schema. elizaOS allows any text as the type of a parameter. */
const JSON_TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);

/**
 * The JSON Schema of an action's parameters, which elizaOS declares as definitions by name:
 * `{city: {type: "string", description: "...", required: true}}`. A JSON Schema of an object stays as it is.
 * As in elizaOS, entries that are not definitions do not count.
 */
function toJsonSchema(declared: unknown): Record<string, unknown> {
  if (!isJsonObject(declared)) return { type: "object", properties: {} };
  if (declared.type === "object") return { ...declared };
  const definitions = Object.entries(declared).filter(isDefinition);
  const required = definitions.filter(([, definition]) => definition.required === true);
  return {
    type: "object",
    properties: Object.fromEntries(definitions.map(([name, each]) => [name, toProperty(each)])),
    ...(required.length > 0 && { required: required.map(([name]) => name) }),
  };
}

function isDefinition(entry: [string, unknown]): entry is [string, JsonObject] {
  return isJsonObject(entry[1]) && typeof entry[1].type === "string";
}

function toProperty({ type, required, ...rest }: JsonObject): JsonObject {
  const isKnown = typeof type === "string" && JSON_TYPES.has(type);
  // An object's own list of required properties is JSON Schema.
  const hasOwn = Array.isArray(required);
  return { ...(isKnown && { type }), ...rest, ...(hasOwn && { required }) };
}
