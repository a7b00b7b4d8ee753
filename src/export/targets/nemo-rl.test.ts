import { expect, test } from "vitest";
import { BranchConversation } from "../conversation/conversation.js";
import { toObjectMessages } from "../conversation/dialects.js";
import { createPair } from "../testing/create-pair.js";
import { nemoRl } from "./nemo-rl.js";

test("a pair is a context with its completions; the best comes first with rank 0", () => {
  const pair = createPair();
  expect(nemoRl.toDpo(pair)).toEqual({
    context: toObjectMessages(new BranchConversation(pair.chosen).prompt),
    completions: [
      { rank: 0, completion: [{ role: "assistant", content: "four" }] },
      { rank: 1, completion: [{ role: "assistant", content: "" }] },
    ],
  });
});
