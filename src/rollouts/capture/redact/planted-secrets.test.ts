import { expect, test } from "vitest";
import { countAttacks } from "../../../base/testing/attacks.js";
import { runCount } from "../../../base/testing/run-count.js";
import { redactSecrets } from "./redact-secrets.js";
import { INNOCENT_TEXTS } from "./testing/innocent-texts.js";
import { CONTEXTS, PLANTED, readableForms } from "./testing/planted-secrets.js";

const redact = redactSecrets({ key: "for tests" });

/** A number after a colon may count something. */
const KNOWN_MISSES: readonly string[] = ["unlock_passcode in an HTTP header"];

test("planted secrets are found in every context", (context) => {
  // All of them in the full run, otherwise every tenth.
  const part = 10 / runCount(10);
  const secrets = PLANTED.filter((_, index) => index % part === 0);
  const contexts = Object.entries(CONTEXTS);
  const attacks = countAttacks(context, "planted secrets", runCount(2480));
  for (const { name, value } of secrets) {
    for (const [place, plant] of contexts) {
      if (KNOWN_MISSES.includes(`${name} in ${place}`)) continue;
      attacks.attempt(() => {
        const redacted = JSON.stringify(redact({ final_answer: plant(name, value) }));
        const readable = readableForms(value).filter((form) => redacted.includes(form));
        expect(readable, `${name} in ${place}: ${redacted}`).toEqual([]);
      });
    }
  }
});

test("what it is known to miss is still missed", () => {
  const { value } = PLANTED.find(({ name }) => name === "unlock_passcode") ?? { value: "" };
  const planted = CONTEXTS["an HTTP header"]?.("unlock_passcode", value);
  expect(redact({ planted })).toEqual({ planted });
});

test("innocent texts are kept, one by one, as values and all together", (context) => {
  const attacks = countAttacks(context, "innocent texts", 250);
  for (const text of INNOCENT_TEXTS) {
    attacks.attempt(() => {
      expect(redact({ text })).toEqual({ text });
      const value = parse(text);
      expect(redact({ value })).toEqual({ value });
    });
  }
  const text = INNOCENT_TEXTS.join("\n");
  expect(redact({ text }).text.split("\n")).toEqual(text.split("\n"));
});

/** The value of a text that is JSON; null otherwise. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
