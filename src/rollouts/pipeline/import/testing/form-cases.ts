/** A file in the real shape of a form, and what one command makes of it. */
export interface FormCase {
  readonly form: string;
  /** In `fixtures/import`. */
  readonly file: string;
  readonly argv?: readonly string[];
  readonly branches: number;
  readonly rollouts: number;
  /** Rows that `export --target` gives: pairs, or demonstrations where the form has no rewards. */
  readonly rows: number;
  readonly target?: "trl" | "trl-sft";
}

/** At least one for each form. */
export const FORM_CASES: readonly FormCase[] = [
  {
    ...{ form: "tinker", file: "tinker/iteration_000003/train_rollout_summaries.jsonl" },
    ...{ argv: ["--objective", "total_reward>=1"], branches: 5, rollouts: 2, rows: 1 },
  },
  {
    ...{ form: "atif", file: "atif/trajectories.jsonl" },
    ...{ argv: ["--objective", "/extra/reward>0.5"], branches: 5, rollouts: 3, rows: 1 },
  },
  { form: "teich", file: "messages/teich.jsonl", branches: 5, rollouts: 2, rows: 2 },
  { form: "prime-rl", file: "messages/prime-rl.jsonl", branches: 5, rollouts: 2, rows: 2 },
  { form: "openhands", file: "messages/openhands.jsonl", branches: 4, rollouts: 2, rows: 2 },
  { form: "swe-smith", file: "messages/swe-smith.jsonl", branches: 5, rollouts: 2, rows: 2 },
  { form: "trl", file: "messages/trl.jsonl", branches: 5, rollouts: 2, rows: 2 },
  { form: "responses", file: "forms/nemo-gym.jsonl", branches: 2, rollouts: 1, rows: 1 },
  {
    ...{ form: "inspect", file: "forms/inspect.json", argv: ["--pass-value", "C"] },
    ...{ branches: 2, rollouts: 1, rows: 1 },
  },
  { form: "tau-bench", file: "forms/tau-bench.json", branches: 2, rollouts: 1, rows: 1 },
  { form: "tau2", file: "forms/tau2.json", branches: 2, rollouts: 1, rows: 1 },
  { form: "tau-bench", file: "forms/tau-users.json", branches: 3, rollouts: 1, rows: 1 },
  { form: "swe-agent", file: "forms/swe-agent-rows.jsonl", branches: 2, rollouts: 1, rows: 1 },
  { form: "verifiers", file: "forms/verifiers.jsonl", branches: 2, rollouts: 1, rows: 1 },
  { form: "eliza-native", file: "forms/eliza-native.jsonl", branches: 2, rollouts: 1, rows: 1 },
  {
    form: "openhands-events",
    file: "forms/openhands-sdk.jsonl",
    branches: 2,
    rollouts: 1,
    rows: 1,
  },
  {
    ...{ form: "openhands-events", file: "forms/openhands-events.json" },
    ...{ argv: ["--assume-passed"], branches: 1, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  { form: "langfuse", file: "forms/langfuse.jsonl", branches: 2, rollouts: 1, rows: 1 },
  { form: "langfuse", file: "forms/langfuse-google.jsonl", branches: 2, rollouts: 1, rows: 1 },
  { form: "langfuse", file: "forms/langfuse-gen-ai.jsonl", branches: 3, rollouts: 1, rows: 1 },
  {
    ...{ form: "langfuse", file: "forms/langfuse-ai-sdk.json", argv: ["--assume-passed"] },
    ...{ branches: 2, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  {
    ...{ form: "langfuse", file: "forms/langfuse-observations.jsonl" },
    ...{ argv: ["--assume-passed"], branches: 2, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  ...["claude-code.jsonl", "mini-swe-agent.traj.json", "swe-agent.traj"].map(
    (name): FormCase => ({
      ...{ form: name.startsWith("mini") ? "swe-agent" : (name.split(".")[0] ?? "") },
      ...{ file: `forms/${name}`, argv: ["--assume-passed"] },
      ...{ branches: 1, rollouts: 1, rows: 1, target: "trl-sft" },
    }),
  ),
  {
    ...{ form: "codex", file: "forms/codex-shell.jsonl", argv: ["--assume-passed"] },
    ...{ branches: 1, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  {
    ...{ form: "codex", file: "forms/codex.jsonl", argv: ["--assume-passed"] },
    ...{ branches: 1, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  {
    ...{ form: "langsmith-batches", file: "forms/langsmith-batches.jsonl" },
    ...{ argv: ["--assume-passed"], branches: 2, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  {
    ...{ form: "pi", file: "forms/pi.jsonl", argv: ["--assume-passed"] },
    ...{ branches: 1, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  {
    ...{ form: "langsmith", file: "forms/langsmith.jsonl", argv: ["--assume-passed"] },
    ...{ branches: 2, rollouts: 1, rows: 1, target: "trl-sft" },
  },
  { form: "messages", file: "forms/array.json", branches: 2, rollouts: 1, rows: 1 },
  ...(
    [
      ["messages", "value-parts.jsonl", 2],
      ["responses", "item-lists.jsonl", 2],
      ["claude-code", "claude-web.json", 1],
      ["messages", "langchain.json", 1],
    ] as const
  ).map(
    ([form, name, count]): FormCase => ({
      ...{ form, file: `forms/${name}`, argv: ["--assume-passed"], target: "trl-sft" },
      ...{ branches: count, rollouts: count, rows: count },
    }),
  ),
  {
    ...{ form: "messages", file: "forms/bare-lists.jsonl", argv: ["--assume-passed"] },
    ...{ branches: 2, rollouts: 2, rows: 2, target: "trl-sft" },
  },
];
