import { BranchConversation } from "../../conversation/conversation.js";
import { compareTurns, type Preference } from "../comparison.js";
import type { PreferencePair } from "../selection.js";
import { createPair } from "./create-pair.js";

/** The turns in which two branches part. Throws RangeError if they have none to compare. */
export function createPreference(pair: PreferencePair = createPair()): Preference {
  const toConversation = (branch: PreferencePair["chosen"]) => new BranchConversation(branch);
  const { preference, reason } = compareTurns(pair, "divergence", toConversation);
  if (preference === undefined) throw new RangeError(`no preference: ${reason}`);
  return preference;
}
