/** Throws TypeError unless `branches` holds at least one branch, and branches of one rollout only. */
export function requireOneRollout(branches: readonly { readonly rollout_id: string }[]): void {
  const ids = [...new Set(branches.map(({ rollout_id }) => rollout_id))];
  if (ids.length === 0) throw new TypeError("no branches: expected those of one rollout");
  if (ids.length > 1) {
    throw new TypeError(`branches of ${ids.length} rollouts (${ids.join(", ")}): expected one`);
  }
}
