/**
 * Ids of one agent's rollouts, such as `agent-123-1700000000000`: the agent and the time of the start in
 * milliseconds. Rollouts that start within one millisecond get the next free ones, so that no two of a
 * process share an id.
 */
export function createRolloutIds(now: () => number = Date.now): (agentId: string) => string {
  const latest = new Map<string, number>();
  return (agentId) => {
    const time = Math.max(Math.trunc(now()), (latest.get(agentId) ?? 0) + 1);
    latest.set(agentId, time);
    return `${agentId}-${time}`;
  };
}
