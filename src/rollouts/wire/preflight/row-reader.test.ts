import { human, noTools } from "./testing/rows.js";
import { testRows } from "./testing/test-rows.js";

testRows([
  [
    "parts of text",
    "trl",
    { ...noTools, prompt: [{ role: "user", content: [{ type: "text", text: "hi" }] }] },
    ["message-content error /prompt/0/content"],
  ],
  [
    "no content",
    "trl",
    { ...noTools, prompt: [{ role: "user" }] },
    ["message-content error /prompt/0"],
  ],
  [
    "content of a number",
    "trl",
    { ...noTools, prompt: [{ role: "user", content: 7 }] },
    ["message-content error /prompt/0/content"],
  ],
  [
    "from instead of role",
    "trl",
    { ...noTools, prompt: [human] },
    ["message-role error /prompt/0"],
  ],
]);
