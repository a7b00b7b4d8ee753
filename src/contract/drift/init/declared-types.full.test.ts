import { expect, test } from "vitest";
import { readDeclaredTypes } from "./declared-types.js";

test.each([
  ["a.ts", "class A ".repeat(300_000)],
  ["a.ts", "/*".repeat(1_000_000)],
  ["a.ts", "`".repeat(1_000_001)],
  ["a.ts", 'class A { x = /"{/; }\n'.repeat(50_000)],
  ["a.ts", "class A{".repeat(300_000)],
  ["a.ts", `class ${"A".repeat(1_000_000)}`],
  ["a.ts", `const ${"a".repeat(1_000_000)} `],
  ["a.ts", "const a ".repeat(300_000)],
  ["a.py", `class ${"A".repeat(1_000_000)}`],
  ["a.py", `class A:\n${"  x: int\n".repeat(500_000)}`],
])("a large %s ends: %#", (path, text) => {
  expect(() => readDeclaredTypes(path, text)).not.toThrow();
});
