import { fill, hex } from "./fill.js";
import { PRIVATE_KEY } from "./private-keys.js";
import { samples } from "./token-samples.js";
import { COMPRESSED_WIF, SEED_PHRASE, SOLANA_KEY, WIF } from "./wallets.js";

/** A secret, and the name under which it is planted. */
export interface PlantedSecret {
  readonly name: string;
  readonly value: string;
  /** Whether its form alone shows that it is a secret. Otherwise only its name does. */
  readonly hasForm: boolean;
}

const BASE64 = "q7Zk2Vx9+m4Tb8Rw3/n6Ys5Pd0Jc1Fg";

/** Passwords and keys of no known form, by the names that people and programs give them. */
const NAMED: readonly (readonly [name: string, value: string])[] = [
  ["password", "hunter2!xyz"],
  ["password", "Tr0ub4dor&3"],
  ["password", "correct-horse-1"],
  ["passwd", fill(12)],
  ["pass", fill(14)],
  ["pwd", fill(10)],
  ["passphrase", fill(24)],
  ["DB_PASS", fill(16)],
  ["DB_PASSWORD", fill(9)],
  ["DATABASE_PASSWORD", fill(18)],
  ["POSTGRES_PASSWORD", fill(16)],
  ["MYSQL_ROOT_PASSWORD", fill(16)],
  ["MYSQL_PWD", fill(12)],
  ["PGPASSWORD", fill(12)],
  ["SMTP_PASS", fill(16)],
  ["REDIS_PASSWORD", fill(20)],
  ["REDISCLI_AUTH", fill(20)],
  ["SSHPASS", fill(12)],
  ["RABBITMQ_DEFAULT_PASS", fill(12)],
  ["ADMIN_PASSWORD", "P4ssw0rd!2024"],
  ["admin_pass", fill(12)],
  ["userPassword", fill(12)],
  ["new_password", fill(12)],
  ["password_confirmation", fill(12)],
  ["keystore-password", fill(12)],
  ["spring.datasource.password", fill(12)],
  ["api_key", hex(32)],
  ["apiKey", fill(40)],
  ["x-api-key", fill(32)],
  ["X-Api-Key", hex(40)],
  ["API_KEY", fill(24)],
  ["WEATHER_API_KEY", hex(32)],
  ["secret", fill(32)],
  ["client_secret", fill(32)],
  ["clientSecret", fill(36)],
  ["CONSUMER_SECRET", fill(50)],
  ["JWT_SECRET", fill(48)],
  ["SESSION_SECRET", hex(64)],
  ["SECRET_KEY", fill(50)],
  ["SECRET_KEY_BASE", hex(128)],
  ["APP_SECRET", hex(32)],
  ["webhook_secret", fill(32)],
  ["AWS_SECRET_ACCESS_KEY", fill(40, BASE64)],
  ["aws_session_token", fill(200, BASE64)],
  ["access_token", fill(40)],
  ["accessToken", fill(64)],
  ["refresh_token", fill(48)],
  ["auth_token", hex(32)],
  ["X-Auth-Token", hex(40)],
  ["private_token", fill(20)],
  ["bearer_token", fill(36)],
  ["BOT_TOKEN", fill(40)],
  ["id_token", fill(80)],
  ["private_key", hex(64)],
  ["encryption_key", fill(44, BASE64)],
  ["signing_key", hex(64)],
  ["master_key", hex(32)],
  ["AZURE_STORAGE_KEY", `${fill(86, BASE64)}==`],
  ["SharedAccessKey", `${fill(43, BASE64)}=`],
  ["AccountKey", `${fill(86, BASE64)}==`],
  ["db_credentials", fill(24)],
  ["vault_pass", fill(16)],
  ["ANSIBLE_BECOME_PASS", fill(16)],
  ["unlock_passcode", "84726193"],
  ["TWILIO_AUTH_TOKEN", hex(32)],
  ["NPM_AUTH_TOKEN", fill(36)],
  ["sessionToken", fill(40)],
];

const FORMED: readonly string[] = [
  ...Object.values(samples).flatMap(({ hits }) => hits),
  PRIVATE_KEY,
  WIF,
  COMPRESSED_WIF,
  SOLANA_KEY,
  SEED_PHRASE,
  "bob.smith@example.com",
  "amy+test@mail.example.org",
  "4111 1111 1111 1111",
  "5500005555555559",
];

export const PLANTED: readonly PlantedSecret[] = [
  ...FORMED.map((value) => ({ name: "note", value, hasForm: true })),
  ...NAMED.map(([name, value]) => ({ name, value, hasForm: false })),
];

/** Ways in which a secret gets into a record. Each gives the value of a field. */
export const CONTEXTS: Readonly<Record<string, (name: string, value: string) => unknown>> = {
  "a field": (name, value) => ({ [name]: value }),
  "a list under a field": (name, value) => ({ [name]: ["none", value] }),
  "a name and a value": (name, value) => [{ name, value }],
  "a list of pairs": (name, value) => [
    ["accept", "text/html"],
    [name, value],
  ],
  arguments: (name, value) => ["run", `--${toFlag(name)}`, value, "--verbose"],
  "JSON in a text": (name, value) => JSON.stringify({ id: 1, [name]: value }),
  "JSON in JSON in a text": (name, value) =>
    JSON.stringify({ body: JSON.stringify({ [name]: value }) }),
  "truncated JSON": (name, value) => `${JSON.stringify({ [name]: value, more: "x" }).slice(0, -4)}`,
  "an HTTP header": (name, value) =>
    `GET /v1 HTTP/1.1\r\nHost: api.example\r\n${name}: ${value}\r\nAccept: */*\r\n`,
  "an env file": (name, value) => `DEBUG=true\n${name}=${value}\nPORT=8080\n`,
  "a shell command": (name, value) => `export ${name}="${value}" && ./deploy.sh`,
  "a URL": (name, value) => `https://api.example/v1?a=1&${name}=${encodeURIComponent(value)}&b=2`,
  YAML: (name, value) => `service:\n  port: 80\n  ${name}: "${value}"\n  debug: true\n`,
  XML: (name, value) => `<config>\n  <${name}>${toXml(value)}</${name}>\n</config>`,
  code: (name, value) => `client = Client(url="https://a.example", ${name}="${value}", retries=3)`,
  "an escaped log line": (name, value) =>
    JSON.stringify(`started\n${name}=${value}\ndone "ok"\n`).slice(1, -1),
};

function toFlag(name: string): string {
  return name.replaceAll("_", "-").toLowerCase();
}

function toXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

/** The forms in which a secret would be readable in a JSON text. */
export function readableForms(value: string): string[] {
  const forms = [value, encodeURIComponent(value), toXml(value)];
  const escaped = [...forms];
  for (let times = 0; times < 3; times += 1) {
    for (const [index, form] of escaped.entries()) {
      escaped[index] = JSON.stringify(form).slice(1, -1);
    }
    forms.push(...escaped);
  }
  return [...new Set(forms)];
}
