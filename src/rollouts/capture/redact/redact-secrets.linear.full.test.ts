import { afterEach, describe, expect, test, vi } from "vitest";
import { redactSecrets } from "./redact-secrets.js";
import { fill, hex } from "./testing/fill.js";
import { PRIVATE_KEY } from "./testing/private-keys.js";
import { SEED_PHRASE, SOLANA_KEY, SOLANA_SIGNATURE, WIF } from "./testing/wallets.js";

/** Repeated texts on which careless patterns and loops backtrack. */
const UNITS: readonly string[] = [
  "a",
  "A1",
  "1",
  "1 ",
  "123 ",
  "4111 ",
  "4111-1111-1111-1111 ",
  "0x",
  "f",
  "[1,",
  "[",
  "{",
  '{"a":',
  '"',
  "\\",
  '\\"',
  "\\n",
  "@",
  "a@",
  "a.",
  "a@a",
  "a@a.",
  "a@a.b",
  "%40",
  "%",
  "://",
  "https://u:",
  "a://a:a",
  ":",
  "a:",
  "=",
  "a=",
  "a: ",
  "-----BEGIN PRIVATE KEY-----",
  "-----END PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\n",
  "eyJ",
  "eyJ-",
  "-eyJ",
  "eyJ.",
  "sk-",
  "sk-a",
  "ghp_",
  "password",
  "password=",
  'password="',
  "password='a\n",
  'password=\\"',
  "password: a1",
  "passwordpassword ",
  "<password>",
  "<password>a1",
  "&lt;password&gt;",
  "</",
  'key="password" value="',
  "machine a login b password ",
  "machine a login ",
  "login ",
  "default ",
  "--password ",
  "mysql -p",
  "mysql -pa123 ",
  "sshpass -p a ",
  "docker login -p ",
  " && ",
  "?a=%20",
  "&a=%2Fb",
  "&sig=a1%2F",
  "a-",
  "A_",
  "key-",
  "-us1",
  "AKIA",
  "Bearer ",
  "bearer a",
  "Authorization: ",
  "authorization: bearer ",
  "Basic ",
  "basic aaaaaaaaaa",
  "cookie: ",
  "cookie: a=b;",
  "cookie: a=b; a=b",
  "abandon ",
  "abandon",
  "abandon\n",
  "seed phrase abandon ",
  "seed ",
  "private key ",
  "private key: is: ",
  "is is ",
  "[redacted:",
  "[redacted:email:12345678]",
  "[redacted:email:12345678] ",
  " ",
  "\n",
  "\u00a0",
  "é",
  "\ud83d\ude00",
  "\ud800",
  "hooks.slack.com/services/",
  "g.alchemy.com/v2/",
  "curl -u a:",
  "--token a1",
  "api_key%3Da1%26",
  "discord.com/api/webhooks/",
  "123456789:",
  "a.a.a.",
  "bob@example.com ",
  "bob@example.com",
  `${fill(40)} `,
  hex(64),
  `0x${hex(64)} `,
  fill(88),
  `${WIF} `,
  WIF,
  SEED_PHRASE,
  `${PRIVATE_KEY} `,
];

const redact = redactSecrets({ values: ["aaaaaaaaaaaaab", "1 1 1 1 1 2", "a value"] });

afterEach(() => vi.restoreAllMocks());

/** Which patterns run while a text is redacted, and how often. */
function watchPatterns(text: string): {
  readonly patterns: ReadonlySet<string>;
  readonly runs: number;
} {
  const patterns = new Set<string>();
  let runs = 0;
  const exec = RegExp.prototype.exec;
  const spy = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, given) {
    runs += 1;
    patterns.add(this.source);
    return exec.call(this, given);
  });
  redact({ text });
  spy.mockRestore();
  return { patterns, runs };
}

test("every pattern is bounded, or repeats a single character class", () => {
  const samples = [
    ...UNITS.map((unit) => unit.repeat(200)),
    `Authorization: Bearer ${fill(40)}`,
    `Basic ${fill(40)}`,
    `"${SOLANA_KEY}" ${SOLANA_SIGNATURE}`,
    `private key: 0x${hex(64)}`,
    `[${"1,".repeat(63)}1]`,
    `alchemy.com/v2/${fill(32)} curl -u a:b --token ${fill(40)}`,
    `token%3D${fill(40)}`,
    `cookie: a=${fill(40)}`,
    "mysql -phunter2 && sshpass -p hunter2; docker login -p hunter2 | http -a a:b",
    "machine a login b password hunter2",
    `<password a="b">hunter2</password><add key="password" value="hunter2"/>`,
    `https://x.example/?a=%20&sig=${fill(40)}`,
    fill(1000, "._-sk:xMy@"),
  ];
  const patterns = new Set(samples.flatMap((sample) => [...watchPatterns(sample).patterns]));
  expect(patterns.size).toBeGreaterThan(40);
  const unbounded = [...patterns].filter(mayRunOn);
  expect(unbounded).toEqual([]);
  expect(["a+b", "(?:ab){2,}", "x.*"].filter(mayRunOn)).toHaveLength(3);
});

describe("twice the text takes at most twice the steps", () => {
  test.each(UNITS)("%j", (unit) => {
    const text = unit.repeat(Math.ceil(2000 / unit.length));
    const [once, twice] = [text, text + text].map((each) => watchPatterns(each).runs);
    // Work done once per text does not double, and a whole text may end differently from its half.
    expect(twice).toBeLessThanOrEqual(2.1 * (once ?? 0) + 200);
  });
});

test.each(UNITS)("a long text of %j is redacted in finite time, as is and within JSON", (unit) => {
  const text = unit.repeat(Math.ceil(20_000 / unit.length));
  const once = redact({ text, json: JSON.stringify({ text }) });
  expect(JSON.parse(once.json)).toEqual({ text: once.text });
});

test.each([
  "a",
  "1",
  "f",
  "a@",
  "password=",
  "eyJ-",
  "\\",
  '"',
  "[redacted:",
  "abandon",
  "https://u:",
])("a megabyte of %j comes to an end", (unit) => {
  const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
  expect(typeof redact({ text }).text).toBe("string");
});

test.each([
  ["of lists", "[", "]"],
  ["of objects", '{"a":', "}"],
])("a megabyte of JSON %s within each other", (_, open, close) => {
  const depth = Math.floor(1_000_000 / (open.length + close.length));
  const text = `${open.repeat(depth)}"bob@example.com"${close.repeat(depth)}`;
  expect(redact({ text }).text).toContain("[redacted:email:");
});

/**
 * An unbounded repetition of a class is harmless if it is the whole pattern or if the pattern is anchored.
 * Otherwise it could run from every position to the end of the text.
 */
function mayRunOn(source: string): boolean {
  const plain = source.replaceAll(/\\./g, "x").replaceAll(/\[(?:[^\]])*\]/g, "c");
  const alternatives = plain.includes("(") ? [plain] : plain.split("|");
  return alternatives.some(
    (each) => !each.startsWith("^") && !/^c[*+]$/.test(each) && /[*+]|\{\d+,\}/.test(each),
  );
}
