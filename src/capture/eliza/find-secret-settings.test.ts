import { expect, test } from "vitest";
import { findSecretSettings } from "./find-secret-settings.js";

test("secrets of the character, as stored and as the runtime decrypts them", () => {
  const runtime = {
    character: {
      secrets: { A: "stored-encrypted", COUNT: 12_345_678 },
      settings: { secrets: { B: "of-the-settings", SHORT: "short" }, model: "not-a-secret" },
    },
    getSetting(key: string) {
      return key === "A" && this.character !== undefined ? "decrypted" : null;
    },
  };
  expect(findSecretSettings(runtime, {})).toEqual([
    "stored-encrypted",
    "decrypted",
    "of-the-settings",
  ]);
});

test("of the environment that was copied into them, only what is secret", () => {
  const env = {
    HOME: "/home/agent",
    OPENAI_API_KEY: "sk-not-a-real-key",
    DATABASE_URL: "postgres://agent:hunter22@db/agent",
    PUBLIC_URL: "https://agent.example.com/",
  };
  const secrets = { ...env, HOST_NAME: "own-host-name" };
  expect(findSecretSettings({ character: { secrets } }, env)).toEqual([
    env.OPENAI_API_KEY,
    env.DATABASE_URL,
    "own-host-name",
  ]);
});

test("an odd runtime has none", () => {
  const getSetting = (): never => {
    throw new Error("no settings");
  };
  for (const runtime of [{}, { character: null }, { character: { secrets: "text" } }]) {
    expect(findSecretSettings(runtime)).toEqual([]);
  }
  const character = { secrets: { A: "stored-here" } };
  expect(findSecretSettings({ character, getSetting }, {})).toEqual(["stored-here"]);
});
