import type { TokenId } from "../detectors/tokens.js";
import { fill, hex, upper } from "./fill.js";

/** Texts by detector id: complete keys, and look-alikes. */
interface Samples {
  readonly hits: readonly string[];
  readonly misses: readonly string[];
}

export const samples: Record<TokenId, Samples> = {
  "anthropic-key": {
    hits: [`sk-ant-api03-${fill(93)}AA`, `sk-ant-oat01-${fill(40)}`],
    misses: ["sk-ant-api03", "task-ant-colony-optimisation-run"],
  },
  "openrouter-key": { hits: [`sk-or-v1-${hex(64)}`], misses: ["sk-or-v1-short"] },
  "openai-key": {
    hits: [`sk-proj-${fill(60)}_${fill(60)}`, `sk-${fill(48)}`, `sk-svcacct-${fill(40)}`],
    misses: ["sk-proj-", `risk-${fill(48)}`, "sk-learn", `sk-${fill(20)}`],
  },
  "langfuse-key": { hits: [`sk-lf-${uuid()}`], misses: [`pk-lf-${uuid()}`] },
  "aws-key-id": {
    hits: [`AKIA${upper(16)}`, `ASIA${upper(16)}`],
    misses: [`AKIA${upper(17)}`, `AKIA${upper(15)}`, `xAKIA${upper(16)}`, `AKIA${fill(16)}`],
  },
  "aws-bedrock-key": { hits: [`ABSK${fill(128)}`], misses: [`ABSK${fill(40)}`] },
  "github-token": {
    hits: [`ghp_${fill(36)}`, `ghs_${fill(36)}`, `github_pat_${fill(22)}_${fill(59)}`],
    misses: [`ghp_${fill(20)}`, `ghx_${fill(36)}`, "github_pat_example"],
  },
  "gitlab-token": {
    hits: [`glpat-${fill(20)}`, `glrt-t1_${fill(20)}`, `glpat-${fill(27)}.01.${fill(9)}`],
    misses: ["glpat-short", `global-${fill(20)}`],
  },
  "google-key": { hits: [`AIza${fill(35)}`], misses: [`AIza${fill(30)}`] },
  "google-client-secret": { hits: [`GOCSPX-${fill(28)}`], misses: ["GOCSPX-abc"] },
  "google-token": {
    hits: [`ya29.${fill(60)}`, `1//0${fill(60)}`],
    misses: ["ya29.short", "1//0", "https://x.example/1//0/"],
  },
  "slack-token": {
    hits: [`xoxb-${fill(11)}-${fill(24)}`, `xoxe.xoxp-1-${fill(60)}`, `xapp-1-A0-${fill(64)}`],
    misses: ["xoxb-", `xoxz-${fill(24)}`],
  },
  "slack-webhook": {
    hits: [`hooks.slack.com/services/T${upper(8)}/B${upper(8)}/${fill(24)}`],
    misses: ["hooks.slack.com/services", "https://api.slack.com/services/Txxxxxxxx"],
  },
  "stripe-key": {
    hits: [`sk_live_${fill(24)}`, `rk_test_${fill(99)}`],
    misses: [`pk_live_${fill(24)}`, "sk_live_", `task_live_${fill(24)}`],
  },
  "webhook-secret": { hits: [`whsec_${fill(32)}`], misses: ["whsec_abc"] },
  "hugging-face-token": {
    hits: [`hf_${fill(34)}`, `api_org_${fill(34)}`],
    misses: ["hf_transfer", `hf_${fill(20)}`],
  },
  "npm-token": {
    hits: [`npm_${fill(36)}`],
    misses: ["npm_config_registry", "npm_package_version"],
  },
  "pypi-token": { hits: [`pypi-AgEIcHlwaS5vcmc${fill(150)}`], misses: ["pypi-AgEIcHlwaS5vcmc"] },
  "telegram-token": {
    hits: [`123456789:AA${fill(33)}`],
    misses: [`123456789:AA${fill(30)}`, `1234567:AA${fill(33)}`, `123456789:AA${fill(40)}`],
  },
  "discord-token": {
    hits: [`MTA${fill(23)}.${fill(6)}.${fill(38)}`, `mfa.${fill(84)}`],
    misses: [`MTA${fill(23)}.${fill(3)}.${fill(38)}`, "Module.method.name"],
  },
  "discord-webhook": {
    hits: [`discord.com/api/webhooks/123456789012345678/${fill(68)}`],
    misses: ["discord.com/api/webhooks/123456789012345678"],
  },
  jwt: {
    hits: [
      `eyJ${fill(33)}.eyJ${fill(80)}.${fill(43)}`,
      `eyJ${fill(33)}..${fill(16)}.${fill(80)}.${fill(22)}`,
    ],
    misses: ["eyJhbGciOiJIUzI1NiJ9", "eyJ.eyJ.x"],
  },
  "sendgrid-key": { hits: [`SG.${fill(22)}.${fill(43)}`], misses: [`SG.${fill(22)}.${fill(20)}`] },
  "twilio-key": { hits: [`SK${hex(32)}`], misses: [`AC${hex(32)}`, `SK${hex(33)}`] },
  "mailgun-key": { hits: [`key-${hex(32)}`], misses: [`key-${hex(31)}`, `monkey-${hex(32)}`] },
  "mailchimp-key": { hits: [`${hex(32)}-us12`], misses: [`${hex(31)}-us12`, `${hex(32)}-usage`] },
  "digitalocean-token": { hits: [`dop_v1_${hex(64)}`], misses: [`dop_v1_${hex(32)}`] },
  "shopify-token": { hits: [`shpat_${hex(32)}`], misses: [`shpxx_${hex(32)}`] },
  "square-token": {
    hits: [`sq0csp-${fill(43)}`, `EAAA${fill(60)}`],
    misses: ["sq0csp-abc", "EAAAdress"],
  },
  "linear-key": { hits: [`lin_api_${fill(40)}`], misses: ["lin_api_version"] },
  "notion-token": {
    hits: [`ntn_${fill(46)}`, `secret_${fill(43)}`],
    misses: ["secret_manager", `secret_${fill(20)}`],
  },
  "airtable-token": { hits: [`pat${fill(14)}.${hex(64)}`], misses: [`pat${fill(14)}.${hex(32)}`] },
  "databricks-token": { hits: [`dapi${hex(32)}`], misses: [`dapi${hex(20)}`] },
  "groq-key": { hits: [`gsk_${fill(52)}`], misses: ["gsk_test"] },
  "fireworks-key": { hits: [`fw_${fill(24)}`], misses: ["fw_version", `pfw_x${fill(10)}`] },
  "planetscale-token": { hits: [`pscale_tkn_${fill(43)}`], misses: ["pscale_tkn_x"] },
  "fly-token": { hits: [`fm2_${fill(120)}==`, `fo1_${fill(43)}`], misses: ["fm2_short"] },
  "brave-key": { hits: [`BSA${fill(28)}`], misses: [`BSA${"a-".repeat(14)}`, `BSA${fill(40)}`] },
  "asana-token": {
    hits: [`1/1204567890123456:${hex(32)}`, `2/1204567890123456/1204567890123457:${hex(32)}`],
    misses: [`1/1204567890123456:${hex(20)}`],
  },
  "xai-key": { hits: [`xai-${fill(80)}`], misses: ["xai-grok-4"] },
  "perplexity-key": { hits: [`pplx-${fill(48)}`], misses: ["pplx-70b-online"] },
  "replicate-token": { hits: [`r8_${fill(37)}`], misses: ["r8_unorm"] },
  "nvidia-key": { hits: [`nvapi-${fill(64)}`], misses: ["nvapi-docs"] },
  "cerebras-key": { hits: [`csk-${fill(48)}`], misses: ["csk-abc"] },
  "tavily-key": { hits: [`tvly-dev-${fill(32)}`], misses: ["tvly-python"] },
  "pinecone-key": { hits: [`pcsk_${fill(6)}_${fill(60)}`], misses: ["pcsk_short"] },
  "langsmith-key": { hits: [`lsv2_pt_${hex(32)}_${hex(10)}`], misses: ["lsv2_pt_"] },
  "elevenlabs-key": { hits: [`sk_${hex(48)}`], misses: [`sk_${hex(32)}`, `risk_${hex(48)}`] },
  "supabase-key": {
    hits: [`sbp_${hex(40)}`, `sb_secret_${fill(31)}`],
    misses: [`sb_publishable_${fill(31)}`],
  },
  "sentry-token": { hits: [`sntrys_${fill(80)}`, `sntryu_${hex(64)}`], misses: ["sntrys_x"] },
  "grafana-token": { hits: [`glsa_${fill(32)}_${hex(8)}`], misses: ["glsa_short"] },
  "vault-token": { hits: [`hvs.${fill(90)}`], misses: ["hvs.method", `shvs.${fill(90)}`] },
  "terraform-token": {
    hits: [`${fill(14)}.atlasv1.${fill(67)}`],
    misses: [`${fill(14)}.atlasv1.${fill(10)}`],
  },
  "doppler-token": { hits: [`dp.pt.${fill(43)}`], misses: ["dp.pt.x", `dp.xx.${fill(43)}`] },
  "1password-token": { hits: [`ops_eyJ${fill(250)}`], misses: ["ops_eyJ"] },
  "docker-token": { hits: [`dckr_pat_${fill(27)}`], misses: ["dckr_pat_"] },
  "rubygems-key": { hits: [`rubygems_${hex(48)}`], misses: ["rubygems_mirror"] },
  "figma-token": { hits: [`figd_${fill(40)}`], misses: ["figd_x"] },
  "postman-key": { hits: [`PMAK-${hex(24)}-${hex(34)}`], misses: [`PMAK-${hex(24)}`] },
  "new-relic-key": { hits: [`NRAK-${upper(27)}`], misses: [`NRAK-${upper(10)}`] },
  "atlassian-token": {
    hits: [`ATATT3${fill(180)}=${upper(8)}`, `ATBB${fill(32)}`],
    misses: ["ATATT3x"],
  },
  "facebook-token": { hits: [`EAACEdEose0cBA${fill(100)}`], misses: ["EAACEdEose0cBA"] },
  "twitter-bearer": {
    hits: [`AAAAAAAAAAAAAAAAAAAAA${fill(40)}%2B${fill(40)}`],
    misses: ["AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
  },
  "azure-account-key": { hits: [`AccountKey=${fill(86)}==`], misses: ["AccountKey=abc"] },
  "age-secret-key": { hits: [`AGE-SECRET-KEY-1${upper(58)}`], misses: ["AGE-SECRET-KEY-1"] },
  "nostr-secret-key": {
    hits: [`nsec1${fill(58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")}`],
    misses: [`npub1${fill(58, "qpzry9x8gf2tvdw0s3jn54khce6mua7l")}`],
  },
  "extended-private-key": {
    hits: [`xprv${fill(107, "9s2QZEKm4Tb8Rw3Hn6Ys5PdJc1Fg")}`],
    misses: [`xpub${fill(107, "9s2QZEKm4Tb8Rw3Hn6Ys5PdJc1Fg")}`],
  },
};

function uuid(): string {
  return [8, 4, 4, 4, 12].map(hex).join("-");
}
