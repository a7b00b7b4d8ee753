import { describe, expect, test } from "vitest";
import { unitsOf } from "../../../../base/testing/exports-of.js";
import { fill, hex } from "../testing/fill.js";
import { findWith } from "../testing/find-with.js";
import { PRIVATE_KEY } from "../testing/private-keys.js";
import {
  COMPRESSED_WIF,
  createKeyPair,
  LONG_SEED_PHRASE,
  NO_SEED_PHRASE,
  SEED_PHRASE,
  SOLANA_KEY,
  SOLANA_SIGNATURE,
  WIF,
} from "../testing/wallets.js";
import { authorization, cookie, namedValue } from "./assignments.js";
import { cardNumber } from "./card-number.js";
import { commandLine } from "./command-line.js";
import type { Detector } from "./detector.js";
import { email } from "./email.js";
import { detectors } from "./index.js";
import { netrc } from "./netrc.js";
import { seedPhrase } from "./seed-phrase.js";
import { tokens } from "./tokens.js";
import { urlKey, urlPassword } from "./urls.js";
import { base58Key, keyBytes, privateKey, walletKey } from "./wallets.js";
import { xml } from "./xml.js";

const [urlParameter = xml] = detectors.filter(({ id }) => id === "url-parameter");

interface Cases {
  readonly detector: Detector;
  /** Texts, each with the secrets to be found in it. */
  readonly hits: readonly (readonly [text: string, ...found: string[]])[];
  readonly misses: readonly string[];
}

const KEY_BYTES = JSON.stringify([...createKeyPair()]);
const KEY_LINES = PRIVATE_KEY.split("\n").slice(1, -1);
const ESCAPED_KEY = PRIVATE_KEY.replaceAll("\n", String.raw`\n`);
const TWICE_ESCAPED_KEY = PRIVATE_KEY.replaceAll("\n", String.raw`\\n`);
const CUT_OFF_KEY = PRIVATE_KEY.split("\n").slice(0, -1).join("\n");
const PGP_KEY = `-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n${KEY_LINES[0]}\n=abcd\n-----END PGP PRIVATE KEY BLOCK-----`;
const NUMBERED = SEED_PHRASE.split(" ").map((word, index) => `${index + 1}. ${word}`);
const AWS =
  "Credential=AKIA0/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;range, Signature=fe5f80f77d5f";
const SESSION = fill(40);

const cases: readonly Cases[] = [
  {
    detector: privateKey,
    hits: [
      [PRIVATE_KEY, PRIVATE_KEY],
      [`key: "${ESCAPED_KEY}"`, ESCAPED_KEY],
      [`{\\"key\\": \\"${TWICE_ESCAPED_KEY}\\"}`, TWICE_ESCAPED_KEY],
      [`${PRIVATE_KEY}\n\n${PRIVATE_KEY}`, PRIVATE_KEY, PRIVATE_KEY],
      [`${CUT_OFF_KEY} ...`, CUT_OFF_KEY],
      [PGP_KEY, PGP_KEY],
      ...["RSA ", "EC ", "OPENSSH ", "ENCRYPTED "].map((kind): [string, string] => {
        const text = PRIVATE_KEY.replaceAll("PRIVATE", `${kind}PRIVATE`);
        return [`${text}\n`, text];
      }),
    ],
    misses: [
      'if (text.includes("-----BEGIN PRIVATE KEY-----")) return;',
      PRIVATE_KEY.replaceAll("PRIVATE", "PUBLIC"),
      "-----BEGIN CERTIFICATE-----\nMIIBhTCCASugAwIBAgIQ\n-----END CERTIFICATE-----",
    ],
  },
  {
    detector: urlPassword,
    hits: [
      ["postgres://app:s3cr3t@db.example:5432/x", "s3cr3t"],
      ["redis://:s3cr3t@localhost", "s3cr3t"],
      ["https://user:p@ss@example.com/", "p@ss"],
      [String.raw`amqp:\/\/app:s3cr3t@mq.example\/v`, "s3cr3t"],
      ["mongodb+srv://a:b%40c@h/ and mysql://d:efgh@h", "b%40c", "efgh"],
    ],
    misses: [
      "https://example.com:8080/a@b",
      "ssh://git@github.com/a/b",
      `postgres://app:$\{PASSWORD}@db/x`,
      "http://localhost:3000/?a=b:c@d",
      "a ratio of 3://4:5@6",
    ],
  },
  {
    detector: urlKey,
    hits: [
      [`https://eth-mainnet.g.alchemy.com/v2/${fill(32)}`, fill(32)],
      [String.raw`wss:\/\/mainnet.infura.io\/ws\/v3\/` + hex(32), hex(32)],
      [`https://x-y.solana-mainnet.quiknode.pro/${hex(40)}/`, hex(40)],
      [
        `https://a.blob.core.windows.net/c?sv=2022&sig=${fill(20)}%2B${fill(20)}%3D&se=1`,
        `${fill(20)}%2B${fill(20)}%3D`,
      ],
      [`https://storage.googleapis.com/b/o?X-Goog-Signature=${hex(256)}`, hex(256)],
      [`https://b.s3.amazonaws.com/x?X-Amz-Signature=${hex(64)}&a=b`, hex(64)],
    ],
    misses: [
      "https://docs.alchemy.com/v2/reference",
      "https://infura.io/v3/YOUR-PROJECT-ID",
      `https://example.com/v2/${fill(32)}`,
      "the signature sig=(a+b)/2 and ?sig=none",
    ],
  },
  {
    detector: commandLine,
    hits: [
      ["curl -u bob:hunter2 https://x.example", "hunter2"],
      ["curl -s --user 'bob:hunter2' https://x.example", "hunter2"],
      [`deploy --token ${fill(24)} --force`, fill(24)],
      ['mysql --password "hunter2"', "hunter2"],
      [String.raw`done\ncurl -u bob:hunter2 https://x.example`, "hunter2"],
      ['curl "https://x.example?a=1&b=2" \\\n  --user bob:hunter2', "hunter2"],
      ["http -a bob:hunter2 x.example", "hunter2"],
      ["mysql -h db -uroot -phunter2 shop", "hunter2"],
      ["mysqldump -p'hunter2' shop > out.sql", "hunter2"],
      ["sshpass -p hunter2 ssh bob@x.example", "hunter2"],
      ["redis-cli -h x -a hunter2 ping", "hunter2"],
      ["docker login -u bob -p hunter2 registry.example", "hunter2"],
      ["7z x -phunter2 a.7z", "hunter2"],
      ["zip -P hunter2 a.zip b", "hunter2"],
      ["ldapsearch -D cn=admin -w hunter2", "hunter2"],
      ["openssl rsa -passin pass:hunter2 -in k.pem", "hunter2"],
    ],
    misses: [
      "docker run -u 1000:1000 image",
      "curl -u bob:$PASSWORD https://x.example",
      "swap --token SOL --from-token USDC --amount 12345",
      "use --password to give it",
      `--token 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48`,
      `git log --author ${fill(24)}`,
      "mysql -p shop < dump.sql",
      "mysql shop < dump.sql && mkdir -pverbose x",
      "mysql shop; cp -parents a b",
      "docker run -p 8080:80 nginx",
      "ssh -p 2222 bob@x.example",
      "git log -p src/main.c",
      "mkdir -p build/out",
      "unzip -p a.zip file.txt",
      "sshpass -e ssh x.example",
      "mysql -p$PASSWORD shop",
    ],
  },
  {
    detector: netrc,
    hits: [
      ["machine api.example login bob password hunter2", "hunter2"],
      ["machine api.example\n  login bob\n  password hunter2\n", "hunter2"],
      [String.raw`machine api.example\n\tlogin bob\n\tpassword hunter2\n`, "hunter2"],
      ["default login anonymous password hunter2", "hunter2"],
    ],
    misses: [
      "the machine asks for your login and password again",
      "machine api.example login bob password $TOKEN",
    ],
  },
  {
    detector: xml,
    hits: [
      ["<password>hunter2</password>", "hunter2"],
      ['<ns:apiKey xsi:type="xs:string">q7Zk2Vx9Lm</ns:apiKey>', "q7Zk2Vx9Lm"],
      ["&lt;password&gt;hunter2&lt;/password&gt;", "hunter2"],
      ["<password><![CDATA[hunter2]]></password>", "hunter2"],
      ['<add key="DbPassword" value="hunter2" />', "hunter2"],
      ["<passcode>84726193</passcode>", "84726193"],
      ["<password>open!sesame</password>", "open!sesame"],
    ],
    misses: [
      "<password>string</password>",
      "<password></password><password/>",
      "<password>$" + "{db.password}</password>",
      "<passwordPolicy>at-least-8</passwordPolicy>",
      "<label>Password1</label>",
      '<input name="password" type="password1">',
    ],
  },
  {
    detector: urlParameter,
    hits: [
      [`https://x.example/?a=1&t=1%2F%2F0${fill(60)}&b=2`, `1%2F%2F0${fill(60)}`],
      ["?card=4111%201111+1111%201111", "4111%201111+1111%201111"],
    ],
    misses: ["https://x.example/?q=a%20b%20c%2Fd", "?token=%E2%82%AC%20100"],
  },
  {
    detector: authorization,
    hits: [
      ["Authorization: Bearer abc.def-1", "abc.def-1"],
      ["authorization: abcdef123", "abcdef123"],
      [`-H "Authorization: Basic dXNlcjpwYXNz"`, "dXNlcjpwYXNz", "dXNlcjpwYXNz"],
      [String.raw`{\"Authorization\": \"token ghx_1234567\"}`, "ghx_1234567"],
      ...["Api-Key", "Splunk", "GenieKey", "SSWS", "Key", "DeepL-Auth-Key", "Unheard-Of"].map(
        (scheme): [string, string] => [`Authorization: ${scheme} ${SESSION}`, SESSION],
      ),
      [`headers = {'Authorization': 'Api-Key ${SESSION}'}`, SESSION],
      ["authorization: abcdef123 something else", "abcdef123"],
      ["authorization: kTzQwLmNoPqRsTuV something else", "kTzQwLmNoPqRsTuV"],
      ["Authorization: Unheard kTzQwLmNoPqRsTuV", "kTzQwLmNoPqRsTuV"],
      ["no Authorization: header Authorization: Token abcdef123", "abcdef123"],
      [`Authorization: AWS4-HMAC-SHA256 ${AWS}`, AWS],
      [
        `-H 'Authorization: Hawk id="d7", ts="1", mac="6R4/iE+ag="'`,
        'id="d7", ts="1", mac="6R4/iE+ag="',
      ],
      [
        String.raw`{\"Authorization\": \"Digest username=\\\"ada\\\", response=\\\"66\\\"\"}`,
        String.raw`username=\\\"ada\\\", response=\\\"66\\\"`,
      ],
      [`bearer ${SESSION} was sent`, SESSION],
      ["Basic dXNlcjpwYXNz", "dXNlcjpwYXNz"],
    ],
    misses: [
      "Authorization: Bearer $TOKEN",
      "Authorization: Bearer <token>",
      "Authorization: Bearer",
      "Authorization: required",
      "Authorization: required for all endpoints",
      "Authorization: header must name the scheme",
      "Authorization: see section 4.2",
      "authorization: requireAuth('admin')",
      "Authorization: Api-Key [redacted:secret:01234567]",
      "Authorization: Unheard-Of2 [redacted:secret:01234567]",
      "headers = {'Authorization': 'Api-Key ' + key}",
      'f"Authorization: Api-Key {key}"',
      'authorization: "disabled"',
      "use bearer authentication-and-authorization here",
      "basic authentication and basic understanding",
      "the bearer of news",
    ],
  },
  {
    detector: cookie,
    hits: [
      [`Cookie: sid=${SESSION}; theme=dark`, `sid=${SESSION}; theme=dark`],
      [`Set-Cookie: sid=${SESSION}; Path=/`, `sid=${SESSION}; Path=/`],
    ],
    misses: ["a cookie: take one", "cookies=3", "Cookie: none"],
  },
  {
    detector: namedValue,
    hits: [
      ['const password = "hunter2";', "hunter2"],
      ["PASSWORD=hunter2 npm start", "hunter2"],
      [
        "aws_secret_access_key = wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
        "wJalrXUtnFEMIK7MDENGbPxRfiCYEXAMPLEKEY",
      ],
      ["{'api_key': 'abc', 'user': 'bob'}", "abc"],
      [String.raw`{\"password\": \"a b\", \"x\": 1`, "a b"],
      [String.raw`{\\\"client_secret\\\":\\\"xyz\\\"}`, "xyz"],
      ["x-api-key: abc123def", "abc123def"],
      ["GET /v1?access_token=abc123def&x=1", "abc123def"],
      ["url=https://h/?a=1&token=abc123def456ghi7", "abc123def456ghi7"],
      ["const secret = `the butler1 did it`;", "the butler1 did it"],
      ['"password": "cut off', "cut off"],
      ["?next=%2Fx%3Fa%3D1%26api_key%3Dabc123def%26b%3D2", "abc123def"],
      ['{"auths":{"x":{"auth":"dXNlcjpwYXNz"}}', "dXNlcjpwYXNz"],
    ],
    misses: [
      "password: string;",
      "const token = getToken(user1);",
      "apiKey: process.env.OPENAI_KEY2,",
      `password = "$\{PASSWORD}"`,
      "the password: it must be long",
      "max_tokens=1000000",
      "next_page_token=abc123def",
      "password=",
      "token == other1token",
      'password = input("Password: ")',
      'ask("Your password: ");',
      '{"fromToken": "SOL", "token": "SOL", "password": "yes", "credentials": "none"',
      'secret: "the butler did it"',
      "token=0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
      "?token=abc123def",
    ],
  },
  {
    detector: seedPhrase,
    hits: [
      [`my phrase: ${SEED_PHRASE}.`, SEED_PHRASE],
      [SEED_PHRASE.toUpperCase(), SEED_PHRASE.toUpperCase()],
      [LONG_SEED_PHRASE, LONG_SEED_PHRASE],
      [SEED_PHRASE.replaceAll(" ", ", "), SEED_PHRASE.replaceAll(" ", ", ")],
      [SEED_PHRASE.replaceAll(" ", String.raw`\n`), SEED_PHRASE.replaceAll(" ", String.raw`\n`)],
      [NUMBERED.join("\n"), NUMBERED.join("\n").slice(3)],
      [`recovery phrase: ${NO_SEED_PHRASE}`, NO_SEED_PHRASE],
    ],
    misses: [
      NO_SEED_PHRASE,
      SEED_PHRASE.replace("winner", "the"),
      SEED_PHRASE.split(" ").slice(1).join(" "),
      "We walk along the river and look at the birds that sing in every tree all day long.",
    ],
  },
  {
    detector: base58Key,
    hits: [
      [`wif ${WIF}`, WIF],
      [COMPRESSED_WIF, COMPRESSED_WIF],
      [`"${SOLANA_KEY}"`, SOLANA_KEY],
      [`private key: ${SOLANA_SIGNATURE}`, SOLANA_SIGNATURE],
    ],
    misses: [WIF.replace("8rM", "9rM"), SOLANA_SIGNATURE, `x${WIF}`, `tx: ${SOLANA_SIGNATURE}`],
  },
  {
    detector: keyBytes,
    hits: [
      [`id.json holds ${KEY_BYTES}`, KEY_BYTES],
      [KEY_BYTES.replaceAll(",", ", "), KEY_BYTES.replaceAll(",", ", ")],
    ],
    misses: [
      JSON.stringify(Array.from({ length: 64 }, (_, index) => index)),
      JSON.stringify([...createKeyPair()].slice(1)),
    ],
  },
  {
    detector: walletKey,
    hits: [
      [`private key: 0x${hex(64)}`, `0x${hex(64)}`],
      [`PRIVATE_KEY=${hex(64)}`, hex(64)],
      [`privateKey is "${hex(64)}"`, hex(64)],
      [`secret key: ${hex(128)}`, hex(128)],
    ],
    misses: [
      `sha256: ${hex(64)}`,
      `tx 0x${hex(64)}`,
      `public key: 0x${hex(64)}`,
      `private key: 0x${hex(63)}`,
      `the private key belongs to the block ${hex(64)}`,
    ],
  },
  {
    detector: cardNumber,
    hits: [
      ["4111111111111111", "4111111111111111"],
      ["card 4111 1111 1111 1111.", "4111 1111 1111 1111"],
      ["5555-5555-5555-4444", "5555-5555-5555-4444"],
      ["3782 822463 10005", "3782 822463 10005"],
      ["2223003122003222, 6011111111111117", "2223003122003222", "6011111111111117"],
      ["30569309025904", "30569309025904"],
      [String.raw`\n4111111111111111\n`, "4111111111111111"],
      ["?n=%204111111111111111", "4111111111111111"],
      ["3530111333300000", "3530111333300000"],
      ["6200000000000005", "6200000000000005"],
      ["room 100 4111 1111 1111 1111 on file", "4111 1111 1111 1111"],
    ],
    misses: [
      "4111111111111112",
      "1700000000000",
      "9007199254740991",
      "0.4111111111111111",
      "4111111111111111.5",
      "call_4111111111111111",
      "a4111111111111111",
      "41111111111111110000",
      "1234567812345670",
      "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
      "978-3-16-148410-0",
    ],
  },
  {
    detector: email,
    hits: [
      ["write to bob@example.com.", "bob@example.com"],
      ["<Bob.O'Hara+tag@mail.example.co.uk>", "Bob.O'Hara+tag@mail.example.co.uk"],
      ["mailto:bob%40example.com", "bob%40example.com"],
      [String.raw`\nbob@example.com\n`, "bob@example.com"],
      ["a@b.example,c@d.example", "a@b.example", "c@d.example"],
      ["jürgen@münchen.example", "jürgen@münchen.example"],
      ["bob@example.com-ish", "bob@example.com"],
    ],
    misses: [
      "react@18.2.0",
      "lodash@4.17.21-beta.rc",
      "icon@2x.png",
      "@scope/package.json",
      "git clone git@github.com:owner/name.git",
      "bob@localhost",
      "@app.route",
      "bob@.com",
      "a @ b.example",
      "bob@example..com",
    ],
  },
];

describe.each(cases)("$detector.id", ({ detector, hits, misses }) => {
  test.each(hits)("%j", (text, ...found) => {
    expect(findWith(detector, text)).toEqual(found);
  });

  test.each(hits)("%j may contain one", (text) => {
    expect(detector.mayFind(text)).toBe(true);
  });

  test.each(misses)("not %j", (text) => {
    expect(findWith(detector, text)).toEqual([]);
  });
});

test("every detector of the folder is listed and tested", async () => {
  const tested = new Set([...cases.map(({ detector }) => detector), ...tokens]);
  expect(detectors.filter((detector) => !tested.has(detector))).toEqual([]);
  expect(detectors.length).toBe(tested.size);
  const direct = detectors.filter((detector) => detector !== urlParameter);
  expect(await unitsOf(import.meta.dirname, ["id", "mayFind", "find"])).toEqual(new Set(direct));
});

test("repeated searches of a text start from its beginning", () => {
  for (const { detector, hits } of cases) {
    for (const [text] of [...hits, ...hits]) expect(findWith(detector, text)).not.toEqual([]);
  }
});
