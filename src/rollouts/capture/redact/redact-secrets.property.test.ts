import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordFault } from "../../../base/findings/finding.js";
import { isJsonObject } from "../../../base/json/value.js";
import { findFaults } from "../../../base/testing/find-faults.js";
import { runCount } from "../../../base/testing/run-count.js";
import { toDpoRecord, toPpoRecords } from "../../wire/export/flat-records.js";
import { createBranch } from "../../wire/export/testing/create-branch.js";
import { redactSecrets } from "./redact-secrets.js";
import { fill, hex, upper } from "./testing/fill.js";
import { PRIVATE_KEY } from "./testing/private-keys.js";
import { LONG_SEED_PHRASE, SEED_PHRASE, SOLANA_KEY, WIF } from "./testing/wallets.js";

const VALUE = "a value with spaces, of a setting";
/** The context that reveals a secret, and the secret itself. */
const SECRETS: readonly (readonly [context: string, secret: string])[] = [
  ["", `sk-proj-${fill(60)}`],
  ["", `sk-ant-api03-${fill(93)}`],
  ["", `AKIA${upper(16)}`],
  ["", `glpat-${fill(20)}`],
  ["", `eyJ${fill(33)}.eyJ${fill(80)}.${fill(43)}`],
  ["", PRIVATE_KEY],
  ["", PRIVATE_KEY.replaceAll("\n", String.raw`\n`)],
  ["", SEED_PHRASE],
  ["", LONG_SEED_PHRASE],
  ["", WIF],
  ["", SOLANA_KEY],
  ["", "bob@example.com"],
  ["", "5555-5555-5555-4444"],
  ["", "378282246310005"],
  ["", VALUE],
  ["private key: ", `0x${hex(64)}`],
  ["Authorization: Bearer ", fill(40)],
  ["API_KEY=", fill(24)],
];

const SPACE = fc.constantFrom(" ", "\n", "\t", "\n\n");
const noise = fc.oneof(
  fc.constant(""),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.constantFrom(
    '{"a": [',
    "']}",
    "\\",
    '"',
    "password = ",
    "https://u:",
    "@",
    "1",
    "0x",
    "BEGIN",
  ),
);
const planted = fc.constantFrom(...SECRETS);

/** A text that contains a secret, delimited by spaces. */
const text = fc
  .tuple(noise, SPACE, planted, SPACE, noise)
  .map(([before, left, [context, secret], right, behind]) => {
    return before + left + context + secret + right + behind;
  });

/** Nested in lists, objects, keys, and JSON inside strings, after any other content. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", maxDepth: 5 },
    text,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.oneof(noise, text), tie("value"), { maxKeys: 3 }),
    tie("value").map((inner) => JSON.stringify(inner)),
    tie("value").map((inner) => JSON.stringify({ inner }, null, 2)),
    fc.tuple(noise, tie("value")).map(([before, inner]) => `${before} ${JSON.stringify(inner)}`),
    fc.jsonValue(),
  ),
}));

const branch = fc
  .record({ task: text, answer: fc.oneof(text, noise), value, name: noise })
  .map(({ task, answer, value: tool, name }) =>
    createBranch({
      task,
      final_answer: answer,
      build_result: { log: tool },
      steps: [{ prompt: { messages: [tool] }, reward_data: { total: 0.5 } }],
      tool_call_sequence: [
        { event: "tool_call", data: { toolName: "send", callId: "c1", args: { [name]: tool } } },
        { event: "tool_result", data: { callId: "c1", output: tool, error: task } },
      ],
      [`${name} bob@example.com`]: tool,
    }),
  );

const redact = redactSecrets({ values: [VALUE] });

test("no secret survives, wherever it is", () => {
  fc.assert(
    fc.property(branch, (record) => {
      const found = [...textsOf(redact(record))].flatMap((each) =>
        SECRETS.map(([, secret]) => secret).filter((secret) => each.includes(secret)),
      );
      expect(found).toEqual([]);
    }),
    { numRuns: runCount(400) },
  );
});

test("the record stays valid, its input is not modified, and redaction is idempotent", () => {
  fc.assert(
    fc.property(branch, (record) => {
      const before = structuredClone(record);
      const once = redact(record);
      expect(record).toEqual(before);
      expect(redact(once)).toEqual(once);
      expect(findNewFaults(once, [before])).toEqual([]);
    }),
    { numRuns: runCount(200) },
  );
});

/** Faults of what `given` became, but for the rules that its noise broke before. */
function findNewFaults(record: object, given: readonly object[]): readonly RecordFault[] {
  const broken = new Set(given.flatMap((each) => findFaults(each)).map(({ id }) => id));
  return findFaults(record).filter(({ id }) => !broken.has(id));
}

test("the records built from it stay valid too", () => {
  fc.assert(
    fc.property(branch, branch, (first, second) => {
      const [chosen, rejected] = [
        redact(first),
        redact({
          ...second,
          rollout_id: first.rollout_id,
          task: first.task,
          branch_index: 1,
          rank: 2,
          total_score: 0,
        }),
      ];
      const records = [...toPpoRecords([chosen, rejected]), toDpoRecord([chosen, rejected])];
      for (const record of records) {
        if (record === null || record === undefined) continue;
        expect(redact(record)).toEqual(record);
        expect(findNewFaults(record, [first, second])).toEqual([]);
      }
    }),
    { numRuns: runCount(100) },
  );
});

describe("redaction is idempotent for any text", () => {
  const fragments = fc.constantFrom(
    "password",
    "token",
    "api_key",
    "Authorization",
    "Bearer ",
    "Basic ",
    "cookie",
    "private key",
    "seed phrase",
    "=",
    ":",
    ": ",
    " ",
    "\n",
    '"',
    "'",
    "\\",
    "\\n",
    "\\u003d",
    "{",
    "}",
    "[",
    "]",
    ",",
    "@",
    "%40",
    "%3D",
    "-",
    ".",
    "/",
    "bob",
    "example.com",
    "https://",
    "u:p",
    "4111",
    "1111",
    "4111111111111111",
    "41",
    "sk-",
    "ghp_",
    "eyJ",
    "AKIA",
    "0x",
    fill(20),
    fill(40),
    hex(64),
    upper(16),
    WIF,
    SOLANA_KEY,
    "legal",
    "winner",
    "zoo ",
    SEED_PHRASE,
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "[redacted:",
    "[redacted:email:12345678]",
    "email",
    "12345678]",
    VALUE,
    "é",
    "\ud800",
    "the ",
    "words of it ",
    "required",
    "name",
    "value",
    '{"name":"token","value":"',
    "1.0",
  );
  const rubble = fc.array(fragments, { maxLength: 24 }).map((parts) => parts.join(""));

  test.each([
    ["as a value", (given: string): object => ({ given })],
    ["as a key", (given: string) => ({ [given]: given, given: { [`${given} `]: [given] } })],
    [
      "as JSON inside of a text",
      (given: string) => ({ given: JSON.stringify([given, { [given]: given }]) }),
    ],
    ["below its name", (given: string) => ({ password: given, token: [given], secret: given })],
    [
      "as an identifier",
      (given: string) => ({ rollout_id: given, provenance: { n_gram_hash: given } }),
    ],
    ["word by word", (given: string) => ({ given: given.split(" ") })],
    ["in a pair", (given: string) => ({ name: given, value: given })],
  ])("%s", (_, wrap) => {
    fc.assert(
      fc.property(rubble, (given) => {
        const once = redact(wrap(given));
        expect(redact(once)).toEqual(once);
      }),
      { numRuns: runCount(600) },
    );
  });

  test("JSON stays JSON, and everything that is not secret is kept", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (given, isIndented) => {
        const json = JSON.stringify({ given }, null, isIndented ? 2 : 0);
        const { json: redacted } = redact({ json });
        // JSON has no -0, so the expected value is passed through JSON too.
        expect(JSON.parse(redacted)).toEqual(redact({ x: JSON.parse(json) }).x);
      }),
      { numRuns: runCount(300) },
    );
  });
});

/** All keys and strings of a value, decoded, including JSON inside strings. */
function* textsOf(root: unknown): Generator<string> {
  if (typeof root === "string") {
    yield root;
    if (/^\s*[[{"]/.test(root)) yield* textsOf(parse(root));
  } else if (Array.isArray(root)) {
    for (const element of root) yield* textsOf(element);
  } else if (isJsonObject(root)) {
    for (const [key, child] of Object.entries(root)) {
      yield key;
      yield* textsOf(child);
    }
  } else if (typeof root === "number") yield String(root);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
