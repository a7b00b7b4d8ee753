import { describe, expect, test } from "vitest";
import { readDeclaredTypes } from "./declared-types.js";

function read(path: string, text: string): Record<string, readonly string[]> {
  return Object.fromEntries(
    readDeclaredTypes(path, text).map(({ name, fields }) => [name, fields]),
  );
}

describe("TypeScript", () => {
  test("interfaces, type literals, classes and Zod objects have the names of their members", () => {
    const text = `
export interface Branch extends Base<Other> {
  readonly rollout_id: string; // rank: no member
  "quoted": number, 'single'?: { inner: string };
  method(argument: string): void;
  [key: string]: unknown;
  last!: number
}
type Literal = { a: string; b?: Array<{ c: string }> } | null;
class Record { public task: string = "x: y {"; run(): void { const label = { z: 1 }; } }
const DpoRecordSchema = z.object({ chosen: z.array(z.object({ role: z.string() })), rejected: z.string() });
`;
    expect(read("a.ts", text)).toEqual({
      Branch: ["rollout_id", "quoted", "single", "last"],
      Literal: ["a", "b"],
      Record: ["task"],
      DpoRecord: ["chosen", "rejected"],
    });
  });

  test("what looks like a comment in a string is none", () => {
    const text = `const glob = "src/**/*.ts", url = 'http://x/*';\ninterface Types { a: string }\nconst b = "*/";`;
    expect(read("a.ts", text)).toEqual({ Types: ["a"] });
  });
});

describe("Python", () => {
  const text = `@dataclass
class Branch(Base):
    """A branch.

    Note: no field
    """

    rollout_id: str
    rank: int = 0  # total: no field

    def run(self) -> None:
        local: int = 1


class Wide(
    Base,
):
    task: str
`;

  test("dataclasses have the names of their fields", () => {
    expect(read("a.py", text)).toEqual({ Branch: ["rollout_id", "rank"], Wide: ["task"] });
  });

  test("with the line ends of Windows too", () => {
    expect(read("a.py", text.replaceAll("\n", "\r\n"))).toEqual(read("a.py", text));
  });
});
