import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createView } from "./patch.js";

class Action {
  readonly #name: string;
  description = "of a class";
  constructor(name: string) {
    this.#name = name;
  }
  get name(): string {
    return this.#name;
  }
  validate(): string {
    return `${this.#name} is valid`;
  }
  handler(): string {
    return this.#name;
  }
}

const replacement = (): string => "replaced";

test("all but the one method is the original's, also what is private in it", () => {
  const original = new Action("ADD");
  const view: Record<string, unknown> = Object(createView(original, "handler", replacement));
  expect(view).toBeInstanceOf(Action);
  expect(view.name).toBe("ADD");
  expect(view.handler).toBe(replacement);
  expect(Reflect.apply(original.validate, original, [])).toBe("ADD is valid");
  expect(typeof view.validate === "function" && view.validate()).toBe("ADD is valid");
  expect(view.validate).toBe(view.validate);
  expect(view.constructor).toBe(Action);
});

test("it reads what the original is now, and writes to it, but for the method", () => {
  const original: Record<string, unknown> = { name: "ADD", handler: () => "own", similes: ["SUM"] };
  const { handler } = original;
  const view: Record<string, unknown> = Object(createView(original, "handler", replacement));
  original.description = "added later";
  view.similes = [];
  delete original.name;
  expect([view.description, original.similes, "name" in view]).toEqual(["added later", [], false]);
  const wrapped = (): string => "wrapped by others";
  view.handler = wrapped;
  expect([view.handler, original.handler]).toEqual([wrapped, handler]);
  Object.defineProperty(view, "handler", { value: replacement });
  expect([view.handler, original.handler]).toEqual([replacement, handler]);
  delete view.similes;
  expect("similes" in original).toBe(false);
});

test("a copy of it is a copy of the original with the method, frozen or not", () => {
  const original = { name: "ADD", handler: () => "own", [Symbol.for("tag")]: 1 };
  for (const each of [original, Object.freeze({ ...original })]) {
    const view = createView(each, "handler", replacement);
    expect({ ...view }).toEqual({ ...original, handler: replacement });
    expect(Object.keys(view)).toEqual(["name", "handler"]);
    expect(JSON.stringify(view)).toBe('{"name":"ADD"}');
    expect(inspect(view)).toContain("ADD");
  }
});
