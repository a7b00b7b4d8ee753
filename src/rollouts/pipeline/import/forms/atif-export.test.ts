import fc from "fast-check";
import { expect, test } from "vitest";
import type { Open, RolloutBranch } from "#generated/index.js";
import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { runCount } from "../../../../base/testing/run-count.js";
import { BranchConversation } from "../../../wire/conversation/conversation.js";
import { atif as target } from "../../../wire/export/targets/atif.js";
import { rankScored } from "../../../wire/scoring/rank.js";
import { readRows } from "../testing/read-row.js";
import { parseObjective } from "../verdicts/rewards.js";
import { atif } from "./atif.js";

/** Fields that docs/targets.md names as lost, by where they are. */
const LOST: Readonly<Record<"step" | "call" | "result", readonly string[]>> = {
  step: ["timestamp", "model_name", "reasoning_effort", "metrics", "llm_call_count", "extra"],
  call: ["extra"],
  result: ["extra", "subagent_trajectory_ref"],
};

const importAll = (rows: readonly JsonObject[], objective: string) =>
  readRows(atif, rows, {
    settings: { rewards: { objective: parseObjective(objective), score: undefined } },
  }).flatMap((each) => (each.kind === "branch" ? [each.branch] : []));

const importOwn = (rows: readonly JsonObject[]) => importAll(rows, "/extra/reward>=1");
const importOurs = (rows: readonly JsonObject[]) =>
  importAll(rows, "/extra/rollout_wire/objective_score>=1");

/** The branches as trajectories, and the number of those that have no place. */
function exportAll(branches: readonly RolloutBranch[]) {
  const ranked = branches.flatMap((branch) => rankScored([branch]));
  const placed = ranked.filter(
    (branch) => target.findUnrewarded(branch, new BranchConversation(branch)) === undefined,
  );
  const trajectories = placed.map(
    (branch): JsonObject => JSON.parse(JSON.stringify(target.toPpo(branch))),
  );
  return { trajectories, strays: ranked.length - placed.length };
}

/** What another import may say otherwise. */
const withoutOrigin = (branches: readonly RolloutBranch[]) =>
  branches.map((branch) => ({ ...branch, imported_from: undefined, scored_by: undefined }));

const omit = (owner: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(owner).filter(([key]) => !keys.includes(key)));

const mapIn = (owner: JsonObject, key: string, map: (item: JsonObject) => JsonObject) => {
  const list: unknown = owner[key];
  return Array.isArray(list) ? { [key]: list.filter(isJsonObject).map(map) } : {};
};

/** What must come back of a trajectory: all but the fields that the documentation names. */
function toExpected(given: JsonObject): JsonObject {
  const { steps } = mapIn(given, "steps", (step) => ({
    ...omit(step, LOST.step),
    ...mapIn(step, "tool_calls", (call) => omit(call, LOST.call)),
    ...(isJsonObject(step.observation) && {
      observation: mapIn(step.observation, "results", (result) => omit(result, LOST.result)),
    }),
  }));
  const { final_metrics: metrics, extra } = given;
  return {
    ...given,
    schema_version: "ATIF-v1.7",
    steps,
    final_metrics: { ...Object(metrics), total_steps: steps?.length },
    extra: { ...Object(extra), rollout_wire: expect.any(Object) },
  };
}

const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 8 }).map((word) => `a${word}`);
const json = fc.jsonValue({ maxDepth: 1 });
const extra = fc.dictionary(fc.constantFrom("note", "b"), json);
const picture = fc.constant({
  type: "image",
  source: { media_type: "image/png", path: "images/a.png" },
});
const content = fc.oneof(
  text,
  fc.tuple(fc.record({ type: fc.constant("text"), text }), picture).map((parts) => parts),
);
const ownMetrics = fc.record({
  prompt_tokens: fc.nat(99),
  logprobs: fc.array(fc.double({ noNaN: true })),
});
const optional = <T>(fields: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T, never>(fields, { requiredKeys: [] });

/** Turns of the agent with what answers them: results, or a user. The last may have neither. */
const turns = fc.array(
  fc.record({
    fields: optional({
      reasoning_content: text,
      timestamp: fc.constant("2026-01-02T03:04:05Z"),
      model_name: text,
      metrics: ownMetrics,
      extra,
    }),
    message: text,
    calls: fc.array(
      fc.record({
        name: fc.constantFrom("run", "look"),
        args: fc.dictionary(text, json),
        content,
        extra,
      }),
      { maxLength: 3 },
    ),
    asks: fc.option(text),
  }),
  { minLength: 1, maxLength: 4 },
);

const trajectory = fc
  .record({
    version: fc.nat(8),
    system: fc.option(text),
    copied: fc.boolean(),
    task: text,
    turns,
    agent: optional({ model_name: text, extra }),
    tools: fc.boolean(),
    reward: fc.constantFrom(0, 0.5, 1),
    rest: optional({
      trajectory_id: text,
      notes: text,
      final_metrics: optional({ total_cost_usd: fc.nat(9) }),
    }),
    id: text,
  })
  .map(
    ({
      version,
      system,
      copied,
      task,
      turns: given,
      agent,
      tools,
      reward,
      rest,
      id,
    }): JsonObject => {
      const context = { is_copied_context: true };
      const steps: JsonObject[] = [
        ...(system === null ? [] : [{ source: "system", message: system }]),
        ...(copied
          ? [
              { source: "user", message: "Before.", ...context },
              { source: "agent", message: "Done.", ...context },
            ]
          : []),
        { source: "user", message: task },
        ...given.flatMap(({ fields, message, calls, asks }, turn): JsonObject[] => {
          const step = { source: "agent", message, ...fields };
          const isAnswered = calls.length > 0;
          const observed = isAnswered && {
            tool_calls: calls.map(({ name, args, extra: own }, at) => ({
              ...{
                tool_call_id: `c${turn}-${at}`,
                function_name: name,
                arguments: args,
                extra: own,
              },
            })),
            observation: {
              results: calls.map(({ content: each, extra: own }, at) => ({
                ...{ source_call_id: `c${turn}-${at}`, content: each, extra: own },
              })),
            },
          };
          const needsUser = !isAnswered && turn < given.length - 1;
          const said = asks ?? (needsUser ? "Go on." : undefined);
          return [
            { ...step, ...observed },
            ...(said === undefined ? [] : [{ source: "user", message: said }]),
          ];
        }),
      ].map((step, at) => ({ step_id: at + 1, ...step }));
      const definition = { type: "function", function: { name: "run", parameters: {} } };
      return {
        schema_version: `ATIF-v1.${version}`,
        session_id: id,
        ...rest,
        agent: {
          ...{ name: "terminal-agent", version: "2.1.0", ...agent },
          ...(tools && { tool_definitions: [definition] }),
        },
        steps,
        extra: { reward, task_id: 7 },
      };
    },
  );

test("any trajectory comes back equal, but for the fields that are named", () => {
  const lost = { fields: 0, pictures: 0 };
  fc.assert(
    fc.property(fc.array(trajectory, { minLength: 1, maxLength: 3 }), (given) => {
      const rows: JsonObject[] = JSON.parse(JSON.stringify(given));
      const branches = importOwn(rows);
      expect(branches).toHaveLength(rows.length);
      const { trajectories, strays } = exportAll(branches);
      expect(strays).toBe(0);
      expect(trajectories).toEqual(rows.map(toExpected));
      expect(withoutOrigin(importOwn(trajectories))).toEqual(withoutOrigin(branches));
      expect(withoutOrigin(importOurs(trajectories))).toEqual(withoutOrigin(branches));
      lost.fields += JSON.stringify(rows).split('"timestamp"').length - 1;
      lost.pictures += JSON.stringify(trajectories).split('"type":"image"').length - 1;
    }),
    { numRuns: runCount(1000, 50) },
  );
  expect(Math.min(...Object.values(lost))).toBeGreaterThan(10);
});

const user = (message: unknown, fields: JsonObject = {}) => ({
  source: "user",
  message,
  ...fields,
});
const agent = (message: unknown, fields: JsonObject = {}) => ({
  source: "agent",
  message,
  ...fields,
});
const call = (id: string, args: unknown = {}) => ({
  tool_call_id: id,
  function_name: "run",
  arguments: args,
});
const observe = (...results: JsonObject[]) => ({ observation: { results } });

/** What a model heard and said, and how it was judged. */
const toHeard = (branch: Open<RolloutBranch>) => ({
  messages: new BranchConversation(branch).messages,
  status: branch.objective_status,
});

function reexport(fields: JsonObject) {
  const given = {
    schema_version: "ATIF-v1.7",
    session_id: "s-1",
    agent: { name: "terminal-agent", version: "2.1.0" },
    extra: { reward: 1 },
    ...fields,
  };
  const first = importOwn([given]);
  const { trajectories, strays } = exportAll(first);
  expect(importOurs(trajectories).map(toHeard)).toEqual(strays > 0 ? [] : first.map(toHeard));
  return { first, written: trajectories[0], strays };
}

/** The second table of docs/targets.md: steps as given, and as they come back. */
test.each<[string, JsonObject[], JsonObject[]]>([
  [
    "texts in parts are one text, and pictures of messages are left out",
    [
      user([
        { type: "text", text: "Fix " },
        { type: "text", text: "it." },
        { type: "image", source: { media_type: "image/png", path: "a.png" } },
      ]),
      agent([{ type: "text", text: "Fixed." }]),
    ],
    [user("Fix it."), agent("Fixed.")],
  ],
  [
    "steps without any content are left out",
    [user("Fix it."), agent(""), { source: "system", message: "" }, agent("Fixed.")],
    [user("Fix it."), agent("Fixed.")],
  ],
  [
    "adjacent steps of the agent are one",
    [user("Fix it."), agent("I look."), agent("Fixed.")],
    [user("Fix it."), agent("I look.\n\nFixed.")],
  ],
  [
    "copied steps after the task are left out, and the task is not marked",
    [
      user("Fix it.", { is_copied_context: true }),
      agent("I look.", { is_copied_context: true }),
      agent("Fixed."),
    ],
    [user("Fix it."), agent("Fixed.")],
  ],
  [
    "a result names its call",
    [user("Fix it."), agent("", { tool_calls: [call("c1")], ...observe({ content: "4" }) })],
    [
      user("Fix it."),
      agent("", {
        tool_calls: [call("c1")],
        ...observe({ source_call_id: "c1", content: "4" }),
      }),
    ],
  ],
  [
    "a result without content is empty text",
    [
      user("Fix it."),
      agent("", { tool_calls: [call("c1")], ...observe({ source_call_id: "c1", content: null }) }),
    ],
    [
      user("Fix it."),
      agent("", { tool_calls: [call("c1")], ...observe({ source_call_id: "c1", content: "" }) }),
    ],
  ],
  [
    "a result without a call is what a user says",
    [user("Fix it."), agent("ls", observe({ content: "a.ts" })), agent("Fixed.")],
    [user("Fix it."), agent("ls"), user("a.ts"), agent("Fixed.")],
  ],
  [
    "audio in a result is its JSON",
    [
      user("Fix it."),
      agent("", {
        tool_calls: [call("c1")],
        ...observe({ source_call_id: "c1", content: [{ type: "audio", source: { path: "a" } }] }),
      }),
    ],
    [
      user("Fix it."),
      agent("", {
        tool_calls: [call("c1")],
        ...observe({ source_call_id: "c1", content: '[{"type":"audio","source":{"path":"a"}}]' }),
      }),
    ],
  ],
  [
    "calls written in a text are calls",
    [
      user("Fix it."),
      agent('<tool_call>{"name": "run", "arguments": {"a": 1}}</tool_call>'),
      user("<tool_response>4</tool_response>"),
      agent("Fixed."),
    ],
    [
      user("Fix it."),
      agent("", {
        tool_calls: [call("call_0", { a: 1 })],
        ...observe({ source_call_id: "call_0", content: "4" }),
      }),
      agent("Fixed."),
    ],
  ],
])("%s", (_, given, expected) => {
  const { written } = reexport({ steps: given });
  expect(written?.steps).toEqual(expected.map((step, at) => ({ step_id: at + 1, ...step })));
});

test("arguments that are no object are kept as text in one", () => {
  const steps = [user("Fix it."), agent("", { tool_calls: [call("c1", "{")] })];
  const { trajectories } = exportAll(
    importOwn([
      {
        schema_version: "ATIF-v1.7",
        agent: { name: "a", version: "1" },
        extra: { reward: 1 },
        steps,
      },
    ]),
  );
  expect(trajectories[0]?.steps).toMatchObject([
    {},
    { tool_calls: [{ arguments: { raw_arguments: "{" } }] },
  ]);
});

test("a trajectory without a session gets one, and loses what the format does not know", () => {
  const { first, written } = reexport({
    ...{ session_id: null, agent: { name: "terminal-agent" }, colour: "red" },
    subagent_trajectories: [{ schema_version: "ATIF-v1.7" }],
    steps: [user("Fix it."), agent("Fixed.")],
  });
  expect(written).toMatchObject({
    session_id: first[0]?.session_id,
    agent: { name: "terminal-agent", version: "unknown" },
  });
  expect(Object.keys(written ?? {})).toEqual([
    ...["schema_version", "session_id", "agent", "steps", "final_metrics", "extra"],
  ]);
});

test("a result of a call that is not in its step has no place", () => {
  const steps = [
    user("Fix it."),
    agent("", { tool_calls: [call("c1")], ...observe({ source_call_id: "c9", content: "4" }) }),
  ];
  expect(reexport({ steps })).toMatchObject({ strays: 1, written: undefined });
});
