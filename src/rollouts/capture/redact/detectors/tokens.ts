import { type Detector, findMatches } from "./detector.js";

/** The format of one provider's keys. */
interface TokenForm<Id extends string = string> {
  readonly id: Id;
  /** Short patterns, one of which matches in every such key. If none matches, the text is not searched. */
  readonly hints: readonly string[];
  /** The beginning of a key, with bounded length. */
  readonly pattern: string;
  /** Character class for the rest of the key; undefined if `pattern` matches the whole key. */
  readonly rest: string | undefined;
}

const WORD = "A-Za-z0-9";
const URL_SAFE = "A-Za-z0-9_-";
const BASE64 = "A-Za-z0-9+/=";

/** A key that consists of a prefix and at least a given number of characters of one class. */
function token<Id extends string>(
  id: Id,
  prefixes: readonly string[],
  chars: string,
  atLeast: number,
): TokenForm<Id> {
  const alternatives = prefixes.map((prefix) => prefix.replaceAll(".", String.raw`\.`)).join("|");
  const pattern = `(?:${alternatives})[${chars}]{${atLeast}}`;
  return { id, hints: [alternatives], pattern, rest: chars };
}

function form<Id extends string>(
  id: Id,
  hints: readonly string[],
  pattern: string,
  rest?: string,
): TokenForm<Id> {
  return { id, hints, pattern, rest };
}

/** From the providers' documentation and from the example keys they published. */
const FORMS = [
  token("anthropic-key", ["sk-ant-"], URL_SAFE, 20),
  token("openrouter-key", ["sk-or-"], URL_SAFE, 20),
  token("openai-key", ["sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"], URL_SAFE, 20),
  // DeepSeek, Moonshot and others use OpenAI's format too.
  token("openai-key", ["sk-"], WORD, 32),
  form("langfuse-key", ["sk-lf-"], "sk-lf-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
  form(
    "aws-key-id",
    ["AKIA", "ASIA", "ABIA", "ACCA"],
    "A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{16}(?![A-Za-z0-9])",
  ),
  token("aws-bedrock-key", ["ABSK"], BASE64, 100),
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], WORD, 36),
  token("github-token", ["github_pat_"], "A-Za-z0-9_", 22),
  form(
    "gitlab-token",
    ["gl[a-z]{2,5}-"],
    `gl(?:pat|dt|rt|rtr|ptt|ft|imt|agent|soat|cbt|oas|ffct)-[${URL_SAFE}]{20}`,
    `.${URL_SAFE}`,
  ),
  token("google-key", ["AIza"], URL_SAFE, 35),
  token("google-client-secret", ["GOCSPX-"], URL_SAFE, 28),
  token("google-token", ["ya29."], URL_SAFE, 20),
  token("google-token", ["1//0"], URL_SAFE, 30),
  form("slack-token", ["xox"], `xox[abeoprs](?:\\.xox[bp])?-[${WORD}-]{10}`, `${WORD}-`),
  token("slack-token", ["xapp-"], `${WORD}-`, 20),
  form(
    "slack-webhook",
    [String.raw`hooks\.slack\.com`],
    `hooks\\.slack\\.com\\\\?/(?:services|workflows|triggers)(?:\\\\?/[${WORD}]{6,64}){2,4}`,
    WORD,
  ),
  form("stripe-key", ["[sr]k_(?:live|test)_"], `[sr]k_(?:live|test)_[${WORD}]{10}`, WORD),
  token("webhook-secret", ["whsec_"], BASE64, 24),
  token("hugging-face-token", ["hf_"], WORD, 30),
  token("hugging-face-token", ["api_org_"], WORD, 30),
  token("npm-token", ["npm_"], WORD, 36),
  token("pypi-token", ["pypi-AgE"], URL_SAFE, 40),
  form("telegram-token", ["[0-9]{8}:"], `[0-9]{8,10}:[${URL_SAFE}]{35}(?![${URL_SAFE}])`),
  form(
    "discord-token",
    [`\\.[${URL_SAFE}]{6}\\.`],
    `[MNO][${URL_SAFE}]{23,27}\\.[${URL_SAFE}]{6}\\.[${URL_SAFE}]{27}`,
    URL_SAFE,
  ),
  token("discord-token", ["mfa."], URL_SAFE, 60),
  form(
    "discord-webhook",
    ["/webhooks"],
    `discord(?:app)?\\.com\\\\?/api\\\\?/webhooks\\\\?/[0-9]{15,21}\\\\?/[${URL_SAFE}]{40}`,
    URL_SAFE,
  ),
  // Three parts if signed, five if encrypted.
  form("jwt", ["eyJ"], `eyJ[${URL_SAFE}]{8,1000}\\.[.${URL_SAFE}]{4}`, `.${URL_SAFE}`),
  form("sendgrid-key", [String.raw`SG\.`], `SG\\.[${URL_SAFE}]{22}\\.[${URL_SAFE}]{43}`, URL_SAFE),
  form("twilio-key", ["SK[0-9a-f]{8}"], "SK[0-9a-f]{32}(?![A-Za-z0-9])"),
  form("mailgun-key", ["key-"], "key-[0-9a-f]{32}(?![A-Za-z0-9])"),
  form("mailchimp-key", ["-us[0-9]"], "[0-9a-f]{32}-us[0-9]{1,2}(?![A-Za-z0-9])"),
  token("digitalocean-token", ["dop_v1_", "doo_v1_", "dor_v1_"], "0-9a-f", 64),
  token("shopify-token", ["shpat_", "shpca_", "shppa_", "shpss_"], "0-9a-fA-F", 32),
  token("square-token", ["sq0atp-", "sq0csp-", "EAAA"], URL_SAFE, 22),
  token("linear-key", ["lin_api_", "lin_oauth_"], WORD, 32),
  token("notion-token", ["ntn_", "secret_"], WORD, 40),
  form("airtable-token", [`pat[${WORD}]{14}\\.`], `pat[${WORD}]{14}\\.[0-9a-f]{64}`, "0-9a-f"),
  token("databricks-token", ["dapi"], "0-9a-f", 32),
  token("groq-key", ["gsk_"], WORD, 40),
  token("fireworks-key", ["fw_"], WORD, 20),
  token("planetscale-token", ["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], `.=${URL_SAFE}`, 32),
  form("fly-token", ["f[mo][12][ar]?_"], `f[mo][12][ar]?_[${BASE64}_-]{40}`, `${BASE64}_-`),
  form("brave-key", ["BSA"], `BSA(?=[A-Za-z_-]{0,26}[0-9])[${URL_SAFE}]{27,28}(?![${URL_SAFE}])`),
  form(
    "asana-token",
    ["[0-9]{12}:[0-9a-f]{8}"],
    "[12]/[0-9]{12,19}(?:/[0-9]{12,19})?:[0-9a-f]{32}(?![A-Za-z0-9])",
  ),
  token("xai-key", ["xai-"], WORD, 60),
  token("perplexity-key", ["pplx-"], WORD, 40),
  token("replicate-token", ["r8_"], WORD, 36),
  token("nvidia-key", ["nvapi-"], URL_SAFE, 40),
  token("cerebras-key", ["csk-"], WORD, 40),
  token("tavily-key", ["tvly-"], `${WORD}-`, 20),
  token("pinecone-key", ["pcsk_"], "A-Za-z0-9_", 40),
  token("langsmith-key", ["lsv2_pt_", "lsv2_sk_"], "0-9a-f_", 32),
  token("elevenlabs-key", ["sk_"], "0-9a-f", 48),
  token("supabase-key", ["sbp_", "sb_secret_"], URL_SAFE, 22),
  token("sentry-token", ["sntrys_", "sntryu_"], `${BASE64}_-`, 40),
  token("grafana-token", ["glsa_", "glc_"], `${BASE64}_`, 32),
  token("vault-token", ["hvs.", "hvb.", "hvr."], URL_SAFE, 24),
  form(
    "terraform-token",
    [String.raw`\.atlasv1\.`],
    `[${WORD}]{14}\\.atlasv1\\.[=${URL_SAFE}]{40}`,
    `=${URL_SAFE}`,
  ),
  form(
    "doppler-token",
    [String.raw`dp\.[a-z]{2}`],
    `dp\\.(?:pt|st|ct|sa|scim|audit)\\.[.${URL_SAFE}]{40}`,
    `.${URL_SAFE}`,
  ),
  token("1password-token", ["ops_eyJ"], URL_SAFE, 100),
  token("docker-token", ["dckr_pat_", "dckr_oat_"], URL_SAFE, 27),
  token("rubygems-key", ["rubygems_"], "0-9a-f", 48),
  token("figma-token", ["figd_"], URL_SAFE, 40),
  token("postman-key", ["PMAK-"], "0-9a-f-", 50),
  token("new-relic-key", ["NRAK-"], "A-Z0-9", 27),
  token("atlassian-token", ["ATATT3", "ATCTT3", "ATBB"], `=${URL_SAFE}`, 28),
  token("facebook-token", ["EAACEdEose0cBA"], WORD, 20),
  token("twitter-bearer", ["AAAAAAAAAAAAAAAAAAAAA"], `${WORD}%`, 30),
  token("azure-account-key", ["AccountKey="], BASE64, 80),
  token("age-secret-key", ["AGE-SECRET-KEY-1"], "0-9A-Z", 58),
  token("nostr-secret-key", ["nsec1"], "02-9ac-hj-np-z", 58),
  form(
    "extended-private-key",
    ["prv[1-9A-HJ-NP-Za-km-z]{20}"],
    "[xyztuv]prv[1-9A-HJ-NP-Za-km-z]{107}",
    "1-9A-HJ-NP-Za-km-z",
  ),
] as const satisfies readonly TokenForm[];

export type TokenId = (typeof FORMS)[number]["id"];

/** One detector for each kind of key or token with a recognisable format. */
export const tokens: readonly Detector[] = FORMS.map(toDetector);

const HINTS = new RegExp([...new Set(FORMS.flatMap(({ hints }) => hints))].join("|"));

/** One test for all of them: very few texts contain a hint. */
function mayHoldToken(text: string): boolean {
  return HINTS.test(text);
}

function toDetector({ id, hints, pattern, rest }: TokenForm): Detector {
  const search = {
    pattern: new RegExp(pattern, "g"),
    ...(rest === undefined ? {} : { rest: new RegExp(`[${rest}]*`, "y") }),
    wordStart: pattern.startsWith("[") ? "bare" : true,
  } as const;
  const hint = new RegExp(hints.join("|"));
  return {
    id,
    purpose: "a key or token of a provider, by its form",
    certain: true,
    mayFind: mayHoldToken,
    find: (text) => (hint.test(text) ? findMatches(text, search) : []),
  };
}
