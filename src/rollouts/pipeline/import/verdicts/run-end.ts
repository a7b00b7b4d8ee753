import { resolvePointer } from "../../../../base/json/pointer.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { previewValue } from "../../../../base/text.js";
import { isEmpty } from "../tally.js";

/** `fault`: something other than the agent failed. `cut`: the run was truncated, or out of its budget. */
type EndKind = "fault" | "cut" | "own";

/** How a run ended that did not end by itself. */
export interface RunEnd {
  readonly kind: "fault" | "cut";
  /** JSON Pointer into the record. */
  readonly pointer: string;
  /** What the record says, safe on a terminal. */
  readonly says: string;
  /** Whether the verdict of the record says pass or fail: a low number may only say that the run was cut. */
  readonly hasVerdict: boolean;
}

/** A field that says how a run ended: where it is, and what its values mean. */
interface StatusField {
  /** Who writes it. */
  readonly source: string;
  readonly places: readonly string[];
  readonly values: Readonly<Record<EndKind, readonly string[]>>;
}

/** Within the record, or within its last turn where a pointer begins with `turn`. Values are compared in lower case. */
const STATUS_FIELDS: readonly StatusField[] = [
  {
    source: "OpenAI and its like, OpenTelemetry, the AI SDK, of the last turn; rows of them",
    places: [
      ...["turn/finish_reason", "turn/response_metadata/finish_reason", "/finish_reason"],
      "/response/choices/0/finish_reason",
    ],
    values: {
      fault: ["error", "content_filter", "content-filter", "abort", "cancelled"],
      cut: ["length", "max_tokens", "model_length", "max_output_tokens"],
      own: ["stop", "tool_calls", "tool_call", "tool-calls", "function_call", "eos", "eos_token"],
    },
  },
  {
    // 9 and 10 are a call that is not valid in one of Google's two services, and blocked text in the other.
    source: "Google, of the last turn, by names and numbers",
    places: ["turn/finish_reason", "turn/response_metadata/finish_reason"],
    values: {
      fault: [
        ...["safety", "recitation", "language", "other", "blocklist", "prohibited_content"],
        ...["spii", "model_armor", "3", "4", "5", "6", "7", "8"],
      ],
      cut: ["2"],
      own: ["malformed_function_call", "unexpected_tool_call", "1"],
    },
  },
  {
    source: "Anthropic, of the last turn; step logs of the Tinker Cookbook",
    places: ["turn/stop_reason", "/stop_reason"],
    values: {
      fault: ["error", "abort", "aborted", "cancelled"],
      cut: ["max_tokens", "length", "model_context_window_exceeded", "pause_turn"],
      own: ["end_turn", "stop_sequence", "tool_use", "refusal", "stop"],
    },
  },
  {
    source: "verifiers and prime-rl; what Claude Code says at the end of its stream",
    places: ["/stop_condition"],
    values: {
      fault: [
        ...["error", "has_error", "cancelled", "canceled", "aborted", "infra_error"],
        "error_during_execution",
      ],
      cut: [
        ...["max_tokens", "max_turns", "max_turns_reached", "prompt_too_long", "truncated"],
        ...["max_total_completion_tokens_reached", "timeout", "timeout_reached", "overlong"],
        ...["error_max_turns", "error_max_budget_usd"],
      ],
      own: [
        "done",
        "no_tools_called",
        "has_final_env_response",
        "agent_completed",
        "is_completed",
        "completed",
        "success",
      ],
    },
  },
  {
    source: "SWE-agent, mini-swe-agent and OpenHands",
    places: ["/exit_status", "/info/exit_status", "/metadata/exit_status"],
    values: {
      fault: [
        ...["error", "exit_error", "exit_api", "exit_environment_error", "exit_forfeit"],
        ...["exit_environment", "skipped", "cancelled", "aborted", "keyboardinterrupt"],
        ...["timeout", "apierror", "ratelimiterror", "rate_limited", "uncaughtexception"],
      ],
      cut: [
        ...["exit_cost", "exit_context", "exit_format", "exit_token_limit", "early_exit"],
        ...["exit_total_execution_time", "exit_command_timeout", "limitsexceeded"],
        ...["timeexceeded", "costlimitexceeded", "contextwindowexceedederror"],
        ...["max_iterations", "max_iterations_reached", "max_steps"],
      ],
      own: ["submit", "submitted", "finished", "finish", "completed", "success"],
    },
  },
  {
    source: "Inspect",
    places: ["/limit/type"],
    values: {
      fault: ["operator"],
      cut: ["context", "time", "working", "message", "token", "cost", "custom"],
      own: [],
    },
  },
  {
    source: "tau2",
    places: ["/termination_reason"],
    values: {
      fault: ["infrastructure_error", "unexpected_error", "timeout", "cancelled"],
      cut: ["max_steps"],
      own: [
        ...["user_stop", "agent_stop", "too_many_errors", "agent_error", "user_error"],
        "invalid_agent_message",
      ],
    },
  },
  {
    source: "OpenAI Responses, Inspect, Langfuse and LangSmith",
    places: ["/status", "/response/status"],
    values: {
      fault: ["error", "failed", "cancelled", "canceled", "aborted"],
      cut: ["incomplete", "length"],
      own: ["success", "completed", "ok", "done", "finished"],
    },
  },
];

/** Fields that are true if a run was cut, or failed. */
const FLAGS: readonly (readonly [place: string, kind: "fault" | "cut"])[] = [
  ...["/is_truncated", "/truncated", "/overlong"].map((place) => [place, "cut"] as const),
  ...["/has_error", "/is_aborted", "/aborted", "/cancelled"].map((at) => [at, "fault"] as const),
];

/** Fields that hold an error, if there was one: its name, an object with one, or a list of them. */
const ERRORS = [
  ...["/error", "/errors", "/info/error", "/exception", "/exception_info", "/error_message"],
  "/metadata/error",
];
const ERROR_NAMES = ["error", "type", "exception_type", "error_type", "name", "message"];
/** Errors by which a program ends a run whose budget is used up. */
const BUDGET_ERROR =
  /overlong|too.?long|context.?(?:length|window)|max(?:imum)?.?(?:tokens?|turns?|steps?|iterations?|budget)|token.?limit|limits?.?exceeded|agent.?timeout/i;

/** How a run ended, and which fields say it. `turn` is the JSON Pointer to its last turn. */
export function findRunEnd(
  record: JsonObject,
  turn: string | undefined,
): { readonly end: Omit<RunEnd, "hasVerdict"> | undefined; readonly read: readonly string[] } {
  const found = [
    ...ERRORS.map((place) => ({ pointer: place, kind: readError(resolvePointer(record, place)) })),
    ...FLAGS.map(([place, kind]) => {
      const value = resolvePointer(record, place);
      const isFlag = typeof value === "boolean";
      return { pointer: place, kind: isFlag ? (value ? kind : ("own" as const)) : undefined };
    }),
    ...STATUS_FIELDS.flatMap(({ places, values }) =>
      places.flatMap((place) => {
        if (place.startsWith("turn") && turn === undefined) return [];
        const pointer = place.replace(/^turn/, turn ?? "");
        return [{ pointer, kind: readWord(resolvePointer(record, pointer), values) }];
      }),
    ),
  ].filter(({ kind }) => kind !== undefined);
  const first =
    found.find(({ kind }) => kind === "fault") ?? found.find(({ kind }) => kind === "cut");
  const read = found.map(({ pointer }) => pointer);
  if (first?.kind !== "fault" && first?.kind !== "cut") return { end: undefined, read };
  const { kind, pointer } = first;
  const says = `${pointer.slice(pointer.lastIndexOf("/") + 1)} ${nameError(resolvePointer(record, pointer))}`;
  return { end: { kind, pointer, says }, read };
}

function readError(value: unknown): EndKind | undefined {
  if (isEmpty(value) || value === false) return undefined;
  return BUDGET_ERROR.test(nameError(value)) ? "cut" : "fault";
}

/** The name of an error, as short as the record has it. */
function nameError(value: unknown): string {
  const inner: unknown = Array.isArray(value) ? value[0] : value;
  if (!isJsonObject(inner)) return previewValue(inner);
  return previewValue(
    ERROR_NAMES.map((key) => inner[key]).find((each) => typeof each === "string") ?? inner,
  );
}

/** `submitted (exit_cost)`: SWE-agent submits what there is when a budget is used up. */
const AUTO_SUBMITTED = /^submitted \((.+)\)$/;

function readWord(value: unknown, values: StatusField["values"]): EndKind | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const word = String(value).toLowerCase();
  const inner = AUTO_SUBMITTED.exec(word)?.[1];
  if (inner !== undefined) return "cut";
  if (values.fault.includes(word)) return "fault";
  if (values.cut.includes(word)) return "cut";
  return values.own.includes(word) ? "own" : undefined;
}
