import type { RolloutBranch } from "#generated/index.js";
import { toCalls } from "./to-calls.js";

/** Whether an agent's arguments were no JSON object, which no format of calls can say. */
export function findTextArguments(branch: RolloutBranch): "text-arguments" | undefined {
  const found = toCalls(branch).some((call) => typeof call.arguments === "string");
  return found ? "text-arguments" : undefined;
}
