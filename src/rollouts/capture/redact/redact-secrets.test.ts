import { describe, expect, test } from "vitest";
import { ROLLOUT_BRANCH_SCHEMA_VERSION } from "#generated/index.js";
import { findFaults } from "../../../base/testing/find-faults.js";
import { taskHash } from "../../wire/conversation/task-hash.js";
import { toPpoRecords } from "../../wire/export/flat-records.js";
import { createBranch } from "../../wire/export/testing/create-branch.js";
import { toDpoTrainingRecord } from "../../wire/export/training-records.js";
import { redactSecrets } from "./redact-secrets.js";
import { fill, hex } from "./testing/fill.js";
import { createKeyPair, NO_SEED_PHRASE, SEED_PHRASE } from "./testing/wallets.js";

const MAIL = "bob@example.com";
const TOKEN = `ghp_${fill(36)}`;
const KEY = "for tests";
const CARD = "4111111111111111";

const redact = redactSecrets({ key: KEY });

/** A value in an unknown field. */
function redactValue(value: unknown): unknown {
  return redact({ value }).value;
}

const [mail, token, card] = [MAIL, TOKEN, CARD].map(redactValue);

test("a placeholder consists of the kind and a keyed hash of the secret", () => {
  expect([mail, token, card]).toEqual([
    expect.stringMatching(/^\[redacted:email:[0-9a-f]{8}\]$/),
    expect.stringMatching(/^\[redacted:github-token:[0-9a-f]{8}\]$/),
    expect.stringMatching(/^\[redacted:card-number:[0-9a-f]{8}\]$/),
  ]);
});

describe("the same secret gets the same placeholder", () => {
  test.each([
    [
      "in values, keys and texts",
      { [MAIL]: [`to ${MAIL}`, MAIL] },
      { [`${mail}`]: [`to ${mail}`, mail] },
    ],
    ["in upper case and in a URL", ["BOB@example.com", "bob%40example.com"], [mail, mail]],
    ["as a number, in groups and named", [4111111111111111, "4111 1111 1111 1111"], [card, card]],
    [
      "named by its field",
      { authorization: `Bearer ${TOKEN}`, token: TOKEN },
      { authorization: `Bearer ${token}`, token },
    ],
  ])("%s", (_, value, expected) => {
    expect(redactValue(value)).toEqual(expected);
  });

  test("in all records, and for every redactor with the same key", () => {
    expect(redact({ other: MAIL })).toEqual({ other: mail });
    expect(redactSecrets({ key: KEY })({ other: MAIL })).toEqual({ other: mail });
  });

  test("but redactors have different random keys by default", () => {
    const [one, other] = [redactSecrets(), redactSecrets()];
    expect(one({ a: MAIL })).toEqual(one({ a: MAIL }));
    expect(one({ a: MAIL })).not.toEqual(other({ a: MAIL }));
  });
});

describe("JSON inside a text", () => {
  const inner = { to: MAIL, n: CARD };
  const redacted = { to: mail, n: card };

  test.each([0, 1, 2, 3])("escaped %d more times", (times) => {
    const escaped = (value: unknown): string =>
      Array.from({ length: times }).reduce<string>(
        (text) => JSON.stringify({ text }),
        JSON.stringify(value),
      );
    expect(redactValue(escaped(inner))).toBe(escaped(redacted));
  });

  test("keeps all other bytes", () => {
    const text = `{\n  "a": 1.0, "big": 12345678901234567890,\t"e": "${MAIL}",\r\n "u": "\\u00e9" }`;
    expect(redactValue(text)).toBe(text.replace(MAIL, `${mail}`));
  });

  test("keys, secret names, escapes, numbers and lists", () => {
    const words = JSON.stringify(SEED_PHRASE.split(" "));
    const text = `{"${MAIL}":1,"password":"x","p":["\\u0062ob@example.com",${CARD}],"w":${words}}`;
    const password = redact({ password: "x" }).password;
    const phrase = redactValue(SEED_PHRASE);
    expect(redactValue(text)).toBe(
      `{"${mail}":1,"password":"${password}","p":["${mail}","${card}"],"w":["${phrase}"]}`,
    );
  });

  test("numbers in any notation", () => {
    expect(redactValue("[4111111111111111.0, 4.111111111111111e15, 41.0]")).toBe(
      `["${card}", "${card}", 41.0]`,
    );
  });

  test("that is truncated", () => {
    const password = redact({ password: "hunter2" }).password;
    expect(redactValue(`{"password": "hunter2", "to": "${MAIL}`)).toBe(
      `{"password": "${password}", "to": "${mail}`,
    );
  });
});

describe("by field name", () => {
  test.each([
    "password",
    "api_key",
    "apiKey",
    "OPENAI_API_KEY",
    "x-api-key",
    "Authorization",
    "client_secret",
    "accessToken",
    "privateKey",
    "mnemonic",
    "seed_phrase",
    "passwordConfirmation",
    "secrets",
    "cookie",
  ])("%s", (name) => {
    expect(redactValue({ [name]: "x y" })).toEqual({
      [name]: expect.stringMatching(/^\[redacted:secret:[0-9a-f]{8}\]$/),
    });
  });

  test.each([
    "max_tokens",
    "next_page_token",
    "eosToken",
    "token_count",
    "password_policy",
    "keyboard",
    "public_key",
    "secretary",
    "author",
    "loss_weight_tokens",
    "callId",
    "n_gram_hash",
  ])("not %s", (name) => {
    expect(redactValue({ [name]: "x y" })).toEqual({ [name]: "x y" });
  });

  test.each([
    { token: "SOL", fromToken: "SOL", toToken: "USDC", inputToken: "ETH", base_token: "BTC" },
    { args: '{"token":"SOL","outputToken":"USDC"}', cut: '{"token": "SOL", "amount": 1' },
    { token: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", buyToken: fill(44) },
    {
      token: "So11111111111111111111111111111111111111112",
      list: [{ name: "token", value: "SOL" }],
    },
    { credentials: "none", password: "yes", api_key: "required", cookie: "true", token: "null" },
    { auth: "required", other: { auth: "basicauthentication" } },
    { secret: "the butler did it", secrets: ["I like trains, and planes."] },
    { code: 'password = input("Password: ")', doc: "Authorization: required" },
  ])("but not what is a coin, a word or a sentence: %j", (value) => {
    expect(redactValue(value)).toEqual(value);
  });

  test.each([
    ["auth", "dXNlcjpwYXNz"],
    ["token", `${fill(8)}-${fill(8)}`],
    ["myToken", hex(40)],
    ["accessToken", "abc"],
    ["secret", NO_SEED_PHRASE],
    ["secret", "the butler1 did it"],
    ["passphrase", "correct horse battery staple"],
    ["authorization", "Custom abc def ghi"],
  ])("and %s: %s", (name, value) => {
    const redacted = { [name]: expect.stringMatching(/^\[redacted:/) };
    expect(redactValue({ [name]: value })).toEqual(redacted);
    expect(redactValue([{ name, value }])).toEqual([{ name, value: redacted[name] }]);
    expect(JSON.parse(String(redactValue(JSON.stringify({ [name]: value }))))).toEqual(redacted);
  });

  test("lists below it, and name-value pairs", () => {
    const secret = redactValue({ password: "x y" });
    expect(secret).toMatchObject({ password: expect.stringContaining("secret") });
    const { password } = redact({ password: "x y" });
    expect(
      redactValue([{ secrets: ["x y", ["x y"]] }, { name: "X-Api-Key", value: "x y" }]),
    ).toEqual([{ secrets: [password, [password]] }, { name: "X-Api-Key", value: password }]);
  });

  test("empty strings and other types are unchanged", () => {
    const value = { password: 5, token: null, secret: { hint: "none" }, api_key: "", cookie: " " };
    expect(redactValue(value)).toEqual(value);
  });
});

describe("given values", () => {
  const values = ["correct horse", "correct horse battery", "short", 'with "quotes"', "a/b?c=d&e"];

  test("longer values first; short ones are ignored", () => {
    const known = redactSecrets({ values, key: KEY });
    const { a, b } = known({ a: "correct horse", b: "correct horse battery" });
    expect(a).not.toBe(b);
    expect(known({ c: "the correct horse battery is short" })).toEqual({ c: `the ${b} is short` });
  });

  test("in the escaped forms of JSON and URLs", () => {
    const known = redactSecrets({ values, key: KEY });
    const { a, b } = known({ a: 'with "quotes"', b: "a/b?c=d&e" });
    expect(known({ c: String.raw`cut {"x": "with \"quotes\"`, d: "?x=a%2Fb%3Fc%3Dd%26e" })).toEqual(
      {
        c: `cut {"x": "${a}`,
        d: `?x=${b}`,
      },
    );
  });

  test("are read again for every record", () => {
    const current = new Set(["first secret"]);
    const known = redactSecrets({ values: () => current, key: KEY });
    expect(known({ a: "first secret" }).a).toContain("redacted:value");
    current.clear();
    expect(known({ a: "first secret" }).a).toBe("first secret");
    current.add("second secret").add("123456789");
    expect(JSON.stringify(known({ a: "second secret", b: 123456789 }))).not.toMatch(/second|2345/);
  });

  test("an iterator is read only once", () => {
    const known = redactSecrets({ values: new Set(["only once"]).values(), key: KEY });
    expect([known({ a: "only once" }), known({ a: "only once" })]).toEqual([
      { a: expect.stringContaining("redacted") },
      { a: expect.stringContaining("redacted") },
    ]);
  });

  test.each(["provenance", "final_answer", "tool_call", "wasmagent-rollout", "reward"])(
    "even %j does not break a record",
    (value) => {
      const known = redactSecrets({ values: [value] });
      const branch = createBranch({ tool_call_sequence: [{ event: "tool_call", data: {} }] });
      for (const record of [branch, ...toPpoRecords([branch])]) {
        expect(findFaults(known(record))).toEqual([]);
      }
    },
  );
});

describe("our own format stays intact", () => {
  const CALL = "call_4111111111111111";
  const branch = createBranch({
    schema_version: ROLLOUT_BRANCH_SCHEMA_VERSION,
    rollout_id: `agent-${hex(64)}-4111111111111111`,
    session_id: "private key: 4111111111111111",
    seed: 4111111111111111,
    tool_call_sequence: [
      { event: "tool_call", data: { toolName: "get_token", callId: CALL, batchId: CALL } },
      { event: "tool_result", data: { callId: CALL, output: { ok: true } } },
    ],
    steps: [{ reward_data: { tokens: 4111111111111111, list: [4111111111111111] } }],
  });

  test.each([
    ["a branch", branch],
    ["its PPO record", toPpoRecords([branch])[0] ?? {}],
    ["a list of branches", [branch]],
    ["branches within something else", { task: "x", branches: [branch] }],
    ["hashes that are digits alone", { provenance: { n_gram_hash: CARD, task_hash: CARD } }],
    [
      "a training record",
      toDpoTrainingRecord([
        branch,
        { ...branch, branch_index: 1, rank: 2, total_score: 0, final_answer: "5" },
      ]) ?? {},
    ],
  ])("%s", (_, record) => {
    expect(redact(record)).toEqual(record);
  });

  test("but secrets are redacted in identifiers, consistently", () => {
    const found = redact(createBranch({ rollout_id: `of ${MAIL}`, session_id: MAIL }));
    expect([found.rollout_id, found.session_id]).toEqual([`of ${mail}`, mail]);
  });

  test("and in invalid hashes and constants", () => {
    expect(redact({ provenance: { n_gram_hash: TOKEN, source: MAIL } })).toEqual({
      provenance: { n_gram_hash: token, source: mail },
    });
  });

  test("a hash of the task is computed from the redacted task", () => {
    const redacted = redact(createBranch({ task: `Write to ${MAIL}` }));
    const [record] = toPpoRecords([redacted]);
    expect(record?.provenance.n_gram_hash).toBe(taskHash(`Write to ${mail}`));
    expect(findFaults(record ?? {})).toEqual([]);
  });
});

test("keys that become equal keep their values", () => {
  const other = { [MAIL]: 1, "BOB@example.com": 2, [`${mail}`]: 3, "bob%40example.com": 4 };
  expect(redactValue(other)).toEqual({
    [`${mail} (2)`]: 1,
    [`${mail} (3)`]: 2,
    [`${mail}`]: 3,
    [`${mail} (4)`]: 4,
  });
  expect(JSON.parse(String(redactValue(JSON.stringify(other))))).toEqual(redactValue(other));
});

describe("lists", () => {
  const { password } = redact({ password: "hunter2!" });

  test.each([
    [
      ["--password", "hunter2!"],
      ["--password", password],
    ],
    [
      ["run", "--api-key", "hunter2!", "-v"],
      ["run", "--api-key", password, "-v"],
    ],
    [
      ["curl", "-u", "bob:hunter2!", "https://x.example"],
      ["curl", "-u", `bob:${password}`, "https://x.example"],
    ],
    [
      ["mysql", "-uroot", "-phunter2!", "shop"],
      ["mysql", "-uroot", `-p${password}`, "shop"],
    ],
    [
      [
        ["x-api-key", "hunter2!"],
        ["accept", "hunter2!"],
      ],
      [
        ["x-api-key", password],
        ["accept", "hunter2!"],
      ],
    ],
  ])("a command line or a pair: %j", (list, expected) => {
    expect(redactValue(list)).toEqual(expected);
    expect(redactValue(JSON.stringify(list))).toBe(JSON.stringify(expected));
    expect(redactValue(expected)).toEqual(expected);
  });

  test.each([
    [["password", "username"]],
    [["token", "apiKey"]],
    [["-p", "8080"]],
    [["--password-file", "/run/secrets/x1"]],
    [["password", "hunter2!", "remember"]],
    [["password", { hint: "hunter2!" }]],
  ])("not %j", (list) => expect(redactValue(list)).toEqual(list));
});

describe("below a field with a secret's name", () => {
  const { password } = redact({ password: "hunter2!" });

  test.each([
    [{ secrets: { db: "hunter2!", list: [{ more: "hunter2!" }] } }],
    [{ password: { value: "hunter2!", current: ["hunter2!"] } }],
    [{ credentials: { key: "hunter2!", username: "bob42", type: "oauth2" } }],
  ])("%j", (value) => {
    const redacted = JSON.stringify(value).replaceAll("hunter2!", String(password));
    expect(redactValue(value)).toEqual(JSON.parse(redacted));
    expect(redactValue(JSON.stringify(value))).toBe(redacted);
  });

  test.each([
    [{ password: { type: "string", minLength: 8, pattern: "^[a-z0-9]{8}$", $ref: "#/$defs/a1" } }],
    [
      {
        secrets: {
          db: "$DB1",
          url: "https://vault1.example",
          path: "kv/data1",
          at: "2024-01-31",
        },
      },
    ],
    [{ credentials: { provider: "google2", version: "v2.0.1", file: "/run/key1" } }],
    [{ secret: { note: "see page 12 of it" } }],
  ])("not %j", (value) => expect(redactValue(value)).toEqual(value));
});

describe("objects that are not JSON", () => {
  test("are redacted as JSON.stringify writes them", () => {
    class Login {
      readonly #hidden = MAIL;
      toJSON(): object {
        return { to: this.#hidden };
      }
    }
    const time = new Date(0);
    const value = { time, login: new Login(), map: new Map([[MAIL, MAIL]]), text: Object(MAIL) };
    expect(redactValue(value)).toEqual({
      time: "1970-01-01T00:00:00.000Z",
      login: { to: mail },
      map: {},
      text: mail,
    });
  });

  test("a getter, a sparse list and undefined", () => {
    const value = {
      get a() {
        return MAIL;
      },
      list: Object.assign(new Array(2), { 1: MAIL }),
      b: undefined,
    };
    expect(redactValue(value)).toEqual({ a: mail, list: [null, mail] });
  });

  test("one object in several places is copied for each", () => {
    const shared = { to: MAIL };
    expect(redactValue([shared, shared])).toEqual([{ to: mail }, { to: mail }]);
  });

  test("a cycle, a bigint and endless nesting are errors of one line", () => {
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    let deep: unknown[] = [];
    for (let depth = 0; depth < 100_000; depth += 1) deep = [deep];
    for (const record of [cycle, { big: 1n }, deep]) {
      expect(() => redact(record)).toThrow(TypeError);
      expect(() => redact(record)).toThrow(/^redactSecrets: JSON cannot hold the record: [^\n]+$/);
    }
  });
});

test.each([
  [{ value: ["x"] }, /^redactSecrets: there is no option "value" \(did you mean values\?\)/],
  [{ values: "secret" }, "redactSecrets: values must be a list of strings, or a function"],
  [{ values: 5 }, "redactSecrets: values must be a list of strings, or a function"],
  [{ key: 5 }, "redactSecrets: key must be a string or a Uint8Array"],
])("a wrong option is an error: %j", (options: object, message) => {
  expect(() => redactSecrets(options)).toThrow(message);
});

test("lists that are a secret as a whole", () => {
  const phrase = redactValue(SEED_PHRASE);
  const pair = redactValue([...createKeyPair()]);
  expect(pair).toEqual([expect.stringContaining("wallet-key")]);
  expect(redactValue(["my", ...SEED_PHRASE.split(" "), "!"])).toEqual(["my", phrase, "!"]);
  expect(redactValue(`key = ${JSON.stringify([...createKeyPair()])}`)).toBe(
    `key = ${String(pair)}`,
  );
});

test("names of prototype properties are ordinary keys", () => {
  const value: unknown = JSON.parse(`{"__proto__": {"a": "${MAIL}"}, "constructor": "${MAIL}"}`);
  const expected: unknown = JSON.parse(`{"__proto__": {"a": "${mail}"}, "constructor": "${mail}"}`);
  expect(JSON.stringify(redactValue(value))).toBe(JSON.stringify(expected));
});

test("JSON in a text may be nested as deeply as it likes", () => {
  const depth = 50_000;
  const nested = (leaf: string): string => `${"[".repeat(depth)}"${leaf}"${"]".repeat(depth)}`;
  expect(redactValue(nested(MAIL))).toBe(nested(`${mail}`));
});
