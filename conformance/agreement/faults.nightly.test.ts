import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { AdapterVerdict } from "#generated/index.js";
import type { CorpusRecord } from "./adapter.js";
import { createCorpus } from "./corpus.js";
import { findDisagreements } from "./disagreements.js";
import { openImplementations } from "./implementations.js";
import { readOriginals } from "./originals.js";
import {
  JudgedRepository,
  MODELS,
  PYTHON,
  TYPESCRIPT,
  usePython,
} from "./testing/judged-repository.js";

/** An object whose properties Python judges by code. */
const PLAIN = {
  title: "Plain",
  type: "object",
  properties: {
    whole: { type: "integer", minimum: 2, exclusiveMaximum: 9 },
    text: { type: "string", minLength: 2, maxLength: 4 },
    word: { type: "string", pattern: "^[a-f]\\d$" },
    day: { type: "string", format: "date" },
    one: { enum: [1, "a"] },
    yes: { type: "boolean" },
    list: { type: "array", items: { type: "number", maximum: 5 }, minItems: 1, maxItems: 2 },
    map: { type: "object", additionalProperties: { type: "integer" } },
    "a/b": { type: ["string", "null"] },
  },
  required: ["whole"],
  additionalProperties: false,
};
const everything = join(import.meta.dirname, "testing/everything");
const read = (name: string): object =>
  JSON.parse(readFileSync(join(everything, `${name}.schema.json`), "utf8"));
const repository = new JudgedRepository(
  { plain: PLAIN, everything: read("everything"), older: read("older") },
  { formats: "assert" },
);
const restore = usePython();

const workspace = repository.open();
let records: readonly CorpusRecord[] = [];
/** What all say of the records as long as there is no fault. */
let right: readonly AdapterVerdict[] = [];

beforeAll(async () => {
  await repository.generate();
  const size = { withManyChanges: 0, places: 1_000 };
  const corpus = createCorpus(await readOriginals(workspace), size, 1);
  // Arrays of arrays take as long as all others together.
  records = corpus.filter(({ text }) => !text.includes("[".repeat(200)));
  right = await judge("typescript");
});

afterAll(() => {
  repository.remove();
  restore();
});

/** The verdicts of one implementation, as its files are now. */
async function judge(id: string): Promise<readonly AdapterVerdict[]> {
  const { list, remove } = openImplementations(workspace, await workspace.linked(), []);
  try {
    return (await list.find((each) => each.id === id)?.judge(records)) ?? [];
  } finally {
    remove();
  }
}

type Fault = readonly [what: string, from: RegExp | string, to: string];

/** One fault each, by the file of generated code. */
const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  [`${TYPESCRIPT}/validators.js`]: [
    ["minimum is exclusive", /!\((v\d+) >= 0\)/, "!($1 > 0)"],
    ["exclusiveMaximum is inclusive", /!\((v\d+) < 5\)/, "!($1 <= 5)"],
    ["a bound applies to infinity", /Number\.isFinite\((v\d+)\) && !\(\1 <= 9/, "!($1 <= 9"],
    ["maxLength counts code units", /(v\d+\.length > 4) && hasLength\(v\d+, 5\)/, "$1"],
    ["a pattern is read without the flag u", /(new RegExp\("\^a\.\[\^b\]\$"), "u"/, "$1"],
    ["const is ignored", /v\d+ !== "everything"/, "false"],
    ["several members of oneOf are one", "<= 4 ? 1 : 0) !== 1", "<= 4 ? 1 : 0) < 1"],
    ["maxContains is ignored", /(v\d+ < 1) \|\| v\d+ > 2/, "$1"],
    ["the last of prefixItems is ignored", /(v\d+\.length) > 1\)/, "$1 > 2)"],
    ["items begin too late", /= 2; (v\d+At) </, "= 3; $1 <"],
    ["a definition is nested too rarely", "nestedNode > 100", "nestedNode > 99"],
    ["minProperties is too high", /(v\d+) < 1 \|\| (v\d+) > 2/, "$1 < 2 || $2 > 2"],
  ],
  [`${TYPESCRIPT}/runtime/faults.js`]: [
    ["another pointer", /items\[at\], `.*`/, "items[at], pointer"],
    ["another keyword", '"maxItems", maxItems', '"minItems", maxItems'],
    ["only the first undeclared field", /("additionalProperties", key, value\));/, "$1; return;"],
    [
      "tokens are escaped in the wrong order",
      '"~", "~0").replaceAll("/", "~1"',
      '"/", "~1").replaceAll("~", "~0"',
    ],
    ["minLength is said too early", "!hasLength(value, minLength)", "value.length <= minLength"],
    ["propertyNames is not said", "if (propertyNames === undefined) return;", "return;"],
    ["the order of faults", "return walk.faults.filter(", "return walk.faults.reverse().filter("],
    ["else is not said", "? node.then : node.else", "? node.then : undefined"],
  ],
  [`${TYPESCRIPT}/runtime/values.js`]: [
    ["code points are code units", "> 0xffff", "> 0xfffff"],
    [
      "multiples are those of doubles",
      /^(export function isMultiple.*)/m,
      "$1 return Number.isInteger(value / step);",
    ],
    ["equal keys make equal objects", "pairs.push(left[key], right[key]);", ""],
  ],
  [`${TYPESCRIPT}/runtime/formats.js`]: [["30 February", "day <= last", "day <= 31"]],
  [`${TYPESCRIPT}/runtime/standard.js`]: [
    ["a Standard Schema takes all", "faults.length === 0", "true"],
  ],
  [`${PYTHON}/_check.py`]: [
    ["true is 1 in const", 'json_key(node["const"]) != json_key(value)', 'node["const"] != value'],
    [
      "true is 1 in enum",
      'json_key(value) not in _keys_of(node["enum"])',
      'value not in node["enum"]',
    ],
    ["minimum ignores large numbers", "value < limit)", "value < limit and abs(value) < 2**53)"],
    [
      "exclusiveMaximum ignores large numbers",
      "value >= limit)",
      "value >= limit and abs(value) < 2**53)",
    ],
    ["multiples are those of doubles", /return \(_exact.*/, "return value % limit == 0"],
    [
      "maxLength is too high",
      /len\(value\) > most:\n(\s+)(self\._fault\(at, "maxLength")/,
      "len(value) > most + 1:\n$1$2",
    ],
    [
      "1 is no 1.0 in uniqueItems",
      "setdefault(json_key(item), index)",
      "setdefault(repr(item), index)",
    ],
    ["minContains is 0", 'node.get("minContains", 1)', 'node.get("minContains", 0)'],
    [
      "null is absent",
      'if name not in value:\n                self._say(at, "required"',
      'if value.get(name) is None:\n                self._say(at, "required"',
    ],
    [
      "maxProperties is ignored",
      'self._say(at, "maxProperties"',
      '0 and self._say(at, "maxProperties"',
    ],
    [
      "dependentRequired is ignored",
      'self._say(at, "dependentRequired"',
      '0 and self._say(at, "dependentRequired"',
    ],
    ["dependentSchemas is ignored", 'node.get("dependentSchemas", {})', "{}"],
    [
      "__proto__ is declared",
      "if name not in declared]",
      'if name not in declared and name != "__proto__"]',
    ],
    ["not is ignored", 'if "not" in node and', "if False and"],
    ["then and else are swapped", '"then" if self._accepts', '"else" if self._accepts'],
    ["only the first of allOf", 'in node.get("allOf", ()):', 'in node.get("allOf", ())[:0]:'],
    ["definitions are nested too often", "depth > _MAX_NESTED", "depth > _MAX_NESTED + 1"],
  ],
  [`${PYTHON}/_values.py`]: [
    ["1.0 is no integer", "return value.is_integer()", "return False"],
    ["true is a number", "and not isinstance(value, bool)\n        and", "and"],
    ["large numbers are truncated", "return int(value) if", "return int(value) % 2**53 if"],
    ["the order of keys", "if tuple(fields) == order:", "if True:"],
  ],
  [`${PYTHON}/_json_io.py`]: [
    [
      "the first of equal keys counts",
      "JSONDecoder(parse_constant",
      "JSONDecoder(object_pairs_hook=lambda pairs: dict(reversed(pairs)), parse_constant",
    ],
    [
      "keys are written in another order",
      "ensure_ascii=False, allow_nan=False, sep",
      "sort_keys=True, allow_nan=False, sep",
    ],
  ],
  [`${PYTHON}/_formats.py`]: [["30 February", /monthrange\(.*\)\[1\]/, "31"]],
  [`${PYTHON}/plain.py`]: [
    ["minimum is exclusive", "_whole < 2", "_whole <= 2"],
    ["maxLength is too high", "len(_text) > 4", "len(_text) > 5"],
    ["true is 1 in enum", /not is_literal_number\(_one\) or /, ""],
    ["$ is before a newline", "\\\\Z", "$"],
    ["items are not judged", "item > 5", "False"],
    ["undeclared fields are accepted", "if known != len(value):", "if False:"],
  ],
  [`${MODELS}/_base.py`]: [
    ["types are converted", "strict=True", "strict=False"],
    ["null is not written", "if value is not UNSET:", "if value:"],
    [
      "arrays lose items",
      "return [_to_plain(each) for each in value]",
      "return [_to_plain(each) for each in value if each]",
    ],
    ["1.0 is no integer", "return to_int(super()._validate(value))", "return int(str(value))"],
  ],
  [`${MODELS}/plain.py`]: [
    ["undeclared fields are dropped", 'extra="forbid"', 'extra="ignore"'],
    ["minItems is ignored", "len(value) < 1", "False"],
  ],
};

interface Case {
  readonly file: string;
  readonly what: string;
  readonly from: RegExp | string;
  readonly to: string;
}

const cases: readonly Case[] = Object.entries(FAULTS).flatMap(([file, faults]) =>
  faults.map(([what, from, to]) => ({ file, what, from, to })),
);

/** The number of records on which somebody who has a fault disagrees with those who have none. */
const found = new Map<Case, number>();

/** Plants faults one after the other. */
async function plantAll(faults: readonly Case[]): Promise<void> {
  for (const fault of faults) found.set(fault, await plant(fault));
}

async function plant({ file, from, to }: Case): Promise<number> {
  const text = repository.read(file);
  const wrong = text.replace(from, to);
  if (wrong === text) throw new Error(`${file} has no ${from}`);
  repository.write(file, wrong);
  const isModel = file.startsWith(MODELS);
  try {
    const verdicts = await judge(
      isTypescript(file) ? "typescript" : isModel ? "pydantic" : "python",
    );
    return findDisagreements("python", records, right, verdicts, true).disagreements.length;
  } finally {
    repository.write(file, text);
  }
}

const isTypescript = (file: string): boolean => file.startsWith(`${TYPESCRIPT}/`);

test("without a fault there is no disagreement", async () => {
  for (const id of ["python", "pydantic"]) {
    const verdicts = await judge(id);
    expect(findDisagreements(id, records, right, verdicts, true).disagreements).toEqual([]);
  }
});

test("each can be planted, in one file at a time of each language", async () => {
  await Promise.all([
    plantAll(cases.filter(({ file }) => isTypescript(file))),
    plantAll(cases.filter(({ file }) => !isTypescript(file))),
  ]);
});

test.each(cases)("$file: $what", (fault) => {
  expect(found.get(fault)).toBeGreaterThan(0);
});
