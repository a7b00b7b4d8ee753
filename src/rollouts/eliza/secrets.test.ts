import { expect, test } from "vitest";
import { findSecretSettings } from "./secrets.js";

test("secrets of the character, as stored and as the runtime decrypts them", () => {
  const runtime = {
    character: {
      secrets: { API_KEY: "stored-encrypted", COUNT: 12_345_678 },
      settings: {
        secrets: { PASSWORD: "of-the-settings", SECRET: "short" },
        model: "not-a-secret",
      },
    },
    getSetting(key: string) {
      return key === "API_KEY" && this.character !== undefined ? "decrypted" : null;
    },
  };
  expect(findSecretSettings(runtime)).toEqual(["stored-encrypted", "decrypted", "of-the-settings"]);
});

test("plain settings are left out unless they look like a secret", () => {
  const secrets = {
    HOME: "/home/agent",
    NODE_ENV: "production",
    MODEL: "gpt-4o-mini-2024-07-18",
    TEXT_MODEL: "meta-llama/Llama-3.1-70B-Instruct-Turbo",
    PUBLIC_URL: "https://agent.example.com/",
    CONTRACT: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    USES_PASSWORD: "required",
    OPENAI_API_KEY: "sk-not-a-real-key",
    DATABASE_URL: "postgres://agent:hunter22@db/agent",
    TWITTER_TOKEN: "only-letters",
    HELIUS: "3f9a0c7e5b1d86423f9a0c7e",
    VAULT: "correct-horse-battery",
    PASSPORT: "of-the-owner",
    logLevel: "everything",
  };
  const { OPENAI_API_KEY, DATABASE_URL, TWITTER_TOKEN, HELIUS, VAULT, PASSPORT } = secrets;
  const found = [OPENAI_API_KEY, DATABASE_URL, TWITTER_TOKEN, HELIUS, VAULT, PASSPORT];
  expect(findSecretSettings({ character: { secrets } }, {})).toEqual(found);
});

test("values copied from the environment count only if they have the name or look of a secret", () => {
  const secrets = {
    OPENAI_API_KEY: "sk-not-a-real-key",
    HELIUS: "3f9a0c7e5b1d86423f9a0c7e",
    VAULT: "correct-horse-battery",
    EDITOR: "my-own-editor",
  };
  const { OPENAI_API_KEY, HELIUS, VAULT } = secrets;
  const env = { ...secrets, VAULT: "another-horse-battery" };
  expect(findSecretSettings({ character: { secrets } }, env)).toEqual([
    OPENAI_API_KEY,
    HELIUS,
    VAULT,
  ]);
});

test("an unusual runtime has no secrets", () => {
  const getSetting = (): never => {
    throw new Error("no settings");
  };
  for (const runtime of [{}, { character: null }, { character: { secrets: "text" } }]) {
    expect(findSecretSettings(runtime)).toEqual([]);
  }
  const character = { secrets: { TOKEN: "stored-here" } };
  expect(findSecretSettings({ character, getSetting })).toEqual(["stored-here"]);
});
