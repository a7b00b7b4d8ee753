import { describe, expect, test } from "vitest";
import { runCount } from "../../../base/testing/run-count.js";
import { detectors } from "./detectors/index.js";
import { findSeedWords } from "./detectors/seed-phrase.js";
import { createMeter, finish, TURN } from "./redact.js";
import { redactSecrets, redactSecretsInTurns } from "./redact-secrets.js";
import { fill } from "./testing/fill.js";
import { PRIVATE_KEY } from "./testing/private-keys.js";
import { SEED_PHRASE } from "./testing/wallets.js";

const options = { key: "for tests", values: ["a long value ".repeat(1000)] };
const redact = redactSecrets(options);
const redactInTurns = redactSecretsInTurns(options);

const SECRETS: readonly (readonly [kind: string, secret: string])[] = [
  ["github-token", `ghp_${fill(36)}`],
  ["anthropic-key", `sk-ant-${fill(20_000)}`],
  ["private-key", PRIVATE_KEY],
  ["private-key", PRIVATE_KEY.split("\n").slice(0, -1).join("\n")],
  ["private-key", PRIVATE_KEY.replace(/\n[^-]*\n/, `\n${`${fill(64)}\n`.repeat(280)}`)],
  ["seed-phrase", SEED_PHRASE],
  ["email", "bob@example.com"],
  ["card-number", "4111 1111 1111 1111"],
  ["secret", `password = "${"long ".repeat(800)}"`],
  ["value", "a long value ".repeat(1000)],
];

/** Where a secret begins, from the end of a window. */
const OFFSETS = [-20_000, -500, -30, -5, -1, 0, 1, 5];
const TRIED = OFFSETS.filter((_, index) => index % runCount(1, 4) === 0);

describe.each(SECRETS)("%s in a long text", (kind, secret) => {
  test.each(TRIED)("%d characters from the end of a window", (by) => {
    const before = "so - ".repeat(10_000).slice(0, 2 * TURN + by - 1);
    const text = `${before} ${secret} ${"and so on ".repeat(5000)}`;
    const redacted = redact({ text }).text;
    expect(redacted).toContain(`[redacted:${kind}:`);
    expect(redacted).not.toContain(secret.slice(-20));
    expect(redacted.startsWith(before)).toBe(true);
    expect(redacted.endsWith(` ${"and so on ".repeat(5000)}`)).toBe(true);
    expect(redact({ text: redacted }).text).toBe(redacted);
  });
});

test("the result is the same in steps, and a long record takes several", () => {
  const list = Array.from({ length: 2000 }, (_, id) => ({ id, to: `bob${id}@example.com` }));
  const long = { list, json: JSON.stringify(list), text: `${JSON.stringify(list)} and more` };
  expect(finish(redactInTurns(long))).toEqual(redact(long));
  expect([...redactInTurns(long)].length).toBeGreaterThan(10);
  const short = { to: "bob@example.com" };
  expect(redactInTurns(short).next()).toEqual({ done: true, value: redact(short) });
});

test("the meter counts characters, and small values too", () => {
  const meter = createMeter();
  expect(meter.spend(TURN)).toBe(true);
  expect([meter.spend(1), meter.spend(TURN / 2), meter.spend(TURN / 2)]).toEqual([
    false,
    false,
    true,
  ]);
  const turns = Array.from({ length: 10_000 }, () => meter.spend(0)).filter(Boolean).length;
  expect(turns).toBeGreaterThan(10);
});

test("an ordinary long text fails almost all first tests", () => {
  const text = "She sold 12 seashells for 3.50 at 10:30, by the sea-shore; then it rained. ".repeat(
    50,
  );
  const passed = detectors.filter(({ mayFind }) => mayFind(text)).map(({ id }) => id);
  expect(passed).toEqual(["seed-phrase"]);
});

test("an endless run of seed words is redacted without further checks", () => {
  const [few, many] = [96, 97].map((count) =>
    findSeedWords(Array.from({ length: count }, () => 5)),
  );
  expect(few).not.toContain(true);
  expect(many).not.toContain(false);
});
