import { expect, test } from "vitest";
import { escapeControls } from "./escape-controls.js";

test("escapes what a terminal obeys", () => {
  expect(escapeControls("\u001b[31mred\u0007\u009b0m\u007f")).toBe(
    String.raw`\u001b[31mred\u0007\u009b0m\u007f`,
  );
});

test("escapes what hides or reorders text, and what breaks a line", () => {
  expect(escapeControls("a\u202eb\u200bc\nd\u2028e\r")).toBe(
    String.raw`a\u202eb\u200bc\u000ad\u2028e\u000d`,
  );
});

test("escapes characters beyond the basic plane and lone surrogates by code unit", () => {
  expect(escapeControls("\u{e0041}\ud800")).toBe(String.raw`\udb40\udc41\ud800`);
});

test("keeps what is shown", () => {
  expect(escapeControls("día, 日本語, 👍, C:\\x")).toBe("día, 日本語, 👍, C:\\x");
});
