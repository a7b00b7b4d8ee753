import {
  type DpoProvenance,
  type DpoRecord,
  type DpoTrainingRecord,
  type LossWeightLabel,
  MESSAGE_TOOL_CALL_TYPE,
  type Message,
  type MessageToolCall,
  type ObjectiveStatus,
  type PpoProvenance,
  type PpoRecord,
  type PpoTrainingRecord,
  PROVENANCE_SOURCE,
  ROLLOUT_BRANCH_SCHEMA_VERSION,
  type RolloutBranchRecord,
  type RolloutTraceStep,
  type ToolEvent,
  type ToolEventData,
  type TrainingProvenance,
} from "#generated/index.js";

/** What stands at a place of a record, and so what may be done to it. */
export type Place =
  /** Whatever agents and tools write. */
  | { readonly kind: "open" }
  /** Names a record or a call, for others to refer to. */
  | { readonly kind: "identifier" }
  /** Numbers and words that the schema fixes. They stay if they are such; anything else is open. */
  | { readonly kind: "fixed"; isFixed(value: unknown): boolean }
  /** Open, but numbers are measured and stay. */
  | { readonly kind: "measures" }
  /** Fields that keep their names; others are open. */
  | { readonly kind: "object"; readonly fields: Readonly<Record<string, Place>> }
  | { readonly kind: "list"; readonly element: Place };

/** Fields that a schema declares, of an object that is open to others. */
type KnownField<T> = T extends unknown
  ? keyof { [Field in keyof T as string extends Field ? never : Field]: T[Field] }
  : never;

/** A place for each declared field, so that a new one cannot be forgotten. */
type Fields<T> = Readonly<Record<KnownField<T>, Place>>;

export const OPEN: Place = { kind: "open" };
const IDENTIFIER: Place = { kind: "identifier" };
const MEASURES: Place = { kind: "measures" };
const NUMBER: Place = { kind: "fixed", isFixed: (value) => typeof value === "number" };
const TASK_HASH: Place = fixed((value) => /^[0-9a-f]{16}$/.test(value));

function fixed(isFixed: (value: string) => boolean): Place {
  return { kind: "fixed", isFixed: (value) => typeof value === "string" && isFixed(value) };
}

function oneOf<Word extends string>(...words: readonly Word[]): Place {
  return fixed((value) => words.some((word) => word === value));
}

function object<T>(fields: Fields<T>): Place {
  return { kind: "object", fields };
}

function listOf(element: Place): Place {
  return { kind: "list", element };
}

const toolEventData: Fields<ToolEventData> = {
  toolName: IDENTIFIER,
  args: OPEN,
  callId: IDENTIFIER,
  batchId: IDENTIFIER,
  text: OPEN,
  output: OPEN,
  error: OPEN,
};

const toolEvent: Fields<ToolEvent> = {
  event: oneOf<NonNullable<ToolEvent["event"]>>("tool_call", "tool_result"),
  channel: IDENTIFIER,
  data: object<ToolEventData>(toolEventData),
};

const traceStep: Fields<RolloutTraceStep> = {
  prompt: OPEN,
  policy_response: OPEN,
  reward_data: MEASURES,
  env_state: OPEN,
  extra: OPEN,
};

const provenance: Fields<DpoProvenance | PpoProvenance | TrainingProvenance> = {
  source: oneOf(PROVENANCE_SOURCE),
  rollout_id: IDENTIFIER,
  branch_index: NUMBER,
  chosen_branch: NUMBER,
  rejected_branch: NUMBER,
  objective_score: {
    kind: "object",
    fields: { chosen: NUMBER, rejected: NUMBER },
  },
  exported_at_ms: NUMBER,
  n_gram_hash: TASK_HASH,
  task_hash: TASK_HASH,
};

const message: Fields<Message> = {
  role: oneOf<Message["role"]>("user", "assistant", "tool"),
  content: OPEN,
  tool_calls: listOf(
    object<MessageToolCall>({
      id: IDENTIFIER,
      type: oneOf(MESSAGE_TOOL_CALL_TYPE),
      function: object<MessageToolCall["function"]>({ name: IDENTIFIER, arguments: OPEN }),
    }),
  ),
  tool_call_id: IDENTIFIER,
  name: IDENTIFIER,
};

const record: Fields<
  | RolloutBranchRecord
  | DpoRecord
  | PpoRecord
  | DpoTrainingRecord
  | PpoTrainingRecord
  | RolloutTraceStep
  | ToolEvent
> = {
  ...toolEvent,
  ...traceStep,
  schema_version: oneOf(ROLLOUT_BRANCH_SCHEMA_VERSION),
  rollout_id: IDENTIFIER,
  task: OPEN,
  branch_index: NUMBER,
  temperature: NUMBER,
  session_id: IDENTIFIER,
  tool_call_sequence: listOf(object<ToolEvent>(toolEvent)),
  final_answer: OPEN,
  build_result: OPEN,
  objective_status: oneOf<ObjectiveStatus>("pass", "fail", "unknown"),
  seed: NUMBER,
  steps: listOf(object<RolloutTraceStep>(traceStep)),
  objective_score: NUMBER,
  rank: NUMBER,
  total_score: NUMBER,
  chosen: OPEN,
  rejected: OPEN,
  completion: OPEN,
  reward: NUMBER,
  messages: listOf(object<Message>(message)),
  prompt_messages: listOf(object<Message>(message)),
  loss_weight_tokens: oneOf<LossWeightLabel>("default", "recovery", "state_summary"),
  provenance: { kind: "object", fields: provenance },
};

/** A record of any of our types, or a part of one. */
export const RECORD: Place = { kind: "object", fields: record };

/** Whether an object within others is a record: branches in the list of a rollout, say. */
export function isRecordLike(value: object): boolean {
  return "tool_call_sequence" in value && Array.isArray(value.tool_call_sequence);
}

/** The place of a field or of an element. */
export function placeWithin(place: Place, at: string | number): Place {
  if (place.kind === "list") return place.element;
  if (place.kind === "measures") return place;
  if (place.kind !== "object" || !Object.hasOwn(place.fields, at)) return OPEN;
  return place.fields[at] ?? OPEN;
}
