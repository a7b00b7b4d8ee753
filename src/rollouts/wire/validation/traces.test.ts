import { expect, test } from "vitest";
import { isPrinted } from "./traces.js";

test.each([
  ...["1", "-0.5", "+.5", "2.", "1e-3", "1E+05", " 1 ", "0x1F", "0b101", "0o17"],
  ...["True", "false", "NaN", "-inf", "Infinity", "-∞", "\u22120.5"],
  ...["50%", "+0.5%", "12 %", "5‰", "$0.5", "-$0.5", "$-0.5", "0.5 €", "£1,000"],
  ...["1,000.5", "1.000,5", "0,5", "1 000", "1\u202f000,5", "1'000", "1_000", "1_000.5"],
  ...["0.5/1.0", "3 / 4", "½", "1/2", "50%/100%", "0.500 ± 0.1", "0.5 +/- 0.1", "0.5+-0.1"],
  ...["\uff10\uff0e\uff15", "\uff15\uff10\uff05", "٠.٥"],
])("%j is a number or a boolean that was printed", (text) => {
  expect(isPrinted(text)).toBe(true);
});

test.each([
  ...["", " ", "-", "%", "$", "/", "±", "gold", "1st", "v1", "A+", "gpt-4", "1.2.3", "10:30"],
  ...[
    "2024-01-02",
    "2024/01/02",
    "1, 2",
    "1 2",
    "3-4",
    "0x",
    "0xyz",
    "1e",
    "x1",
    "5 kg",
    "$",
    "USD",
  ],
  ...["information", "nano", "truely", "+-", "1/", "/2", "±1"],
])("%j is a label", (text) => {
  expect(isPrinted(text)).toBe(false);
});

test("a long string is checked in linear time", () => {
  for (const part of [" ", "1", "1,000", "1_", ".", "1/", "$"]) {
    expect(isPrinted(`${part.repeat(1_000_000)}x`)).toBe(false);
  }
});
