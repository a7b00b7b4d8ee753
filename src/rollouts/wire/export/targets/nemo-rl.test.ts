import { expect, test } from "vitest";
import { toObjectMessages } from "../../conversation/dialects.js";
import { createPreference } from "../testing/create-preference.js";
import { nemoRl } from "./nemo-rl.js";

test("a pair is a context with its completions; the best comes first with rank 0", () => {
  const preference = createPreference();
  expect(nemoRl.toPreference(preference)).toEqual({
    context: toObjectMessages(preference.prompt),
    completions: [
      { rank: 0, completion: [{ role: "assistant", content: "four" }] },
      { rank: 1, completion: [{ role: "assistant", content: "" }] },
    ],
  });
});
