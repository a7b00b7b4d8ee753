/**
 * Groups records by rollout_id. Rollouts come in the order in which they first appear, the records of
 * each in the order in which they came; they need not be adjacent.
 */
export function groupByRollout<Item extends { readonly rollout_id: string }>(
  records: Iterable<Item>,
): Map<string, Item[]> {
  const rollouts = new Map<string, Item[]>();
  for (const record of records) {
    const group = rollouts.get(record.rollout_id);
    if (group === undefined) rollouts.set(record.rollout_id, [record]);
    else group.push(record);
  }
  return rollouts;
}
