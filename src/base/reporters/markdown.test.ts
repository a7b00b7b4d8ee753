import { expect, test } from "vitest";
import { createFinding } from "../findings/finding.js";
import { FindingList } from "../findings/finding-list.js";
import type { Report } from "../findings/report.js";
import { escapeMarkdown, fence, markdown, toCode } from "./markdown.js";

const empty: Report = {
  ...new FindingList({ maxErrors: 10 }).toReport("drift"),
  checked: 3,
  thing: "record",
};
const print = (report: Partial<Report>): string =>
  markdown.print({ ...empty, ...report }, { colour: false });

test("a report without findings is one line", () => {
  expect(print({})).toBe("**drift**: 3 records checked, 0 errors, 0 warnings\n");
});

test("a finding is an item of a list, with its detail as code", () => {
  const finding = createFinding({
    id: "breaking",
    file: "a|b.json",
    pointer: "/x",
    message: "is <new>",
    detail: "{}\n```",
  });
  expect(print({ findings: [finding], found: { error: 1, warning: 0 } })).toBe(
    [
      "**drift**: 3 records checked, 1 error, 0 warnings",
      "",
      "- **error** `a\\|b.json:1:1` `/x` is \\<new\\> (`breaking`)",
      "",
      "  ````",
      "  {}",
      "  ```",
      "  ````",
      "",
      "",
    ].join("\n"),
  );
});

test("findings beyond the limit are counted, and a failure is told", () => {
  const found = { error: 2, warning: 0 };
  expect(print({ found, notListed: found })).toContain(
    "2 errors, 0 warnings; 2 of them are not listed",
  );
  expect(print({ failure: "no such file" })).toBe("**drift failed**: no such file\n");
});

test("a conformance run is a table", () => {
  const check = {
    id: "golden",
    purpose: "",
    fix: "npm run cli -- check --write-golden",
    checked: [{ count: 2, thing: "output" }],
    found: { error: 1, warning: 0 },
  };
  expect(print({ checks: [check] })).toContain(
    "| `golden` | 2 outputs | **1 finding** | npm run cli -- check --write-golden |\n",
  );
});

test("text from data neither formats, nor links, nor mentions anybody", () => {
  expect(escapeMarkdown("*a* [b](https://c) @d <e> #1 |\u001b")).toBe(
    "\\*a\\* \\[b\\](https&#58;//c) &#64;d \\<e\\> \\#1 \\|\\\\u001b",
  );
  expect(toCode("a`b")).toBe("`` a`b ``");
  expect(fence("```", "json")).toBe("````json\n```\n````\n");
});
