import { expect, test } from "vitest";
import { findActionArguments } from "./find-action-arguments.js";

test("what the model chose, under the options of the call; nothing of the runtime's own", () => {
  const state = { values: {}, data: { actionParams: { city: "Bern", days: 3 }, providers: {} } };
  const options = {
    days: 5,
    actionContext: { previousResults: [] },
    actionPlan: {},
    onStreamChunk: () => {},
  };
  expect(findActionArguments(state, options)).toEqual({ city: "Bern", days: 5 });
});

test("nothing, or what cannot be read, is no argument", () => {
  const thrower = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("nobody may read this");
      },
    },
  );
  for (const odd of [undefined, null, 7, "text", thrower]) {
    expect(findActionArguments(odd, odd)).toEqual({});
    expect(findActionArguments({ data: { actionParams: odd } }, {})).toEqual({});
  }
});
