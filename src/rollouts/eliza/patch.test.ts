import { inspect } from "node:util";
import { expect, test } from "vitest";
import { createProxy } from "./patch.js";

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

test("everything except the one method is the original's, private fields included", () => {
  const original = new Action("ADD");
  const proxy: Record<string, unknown> = Object(createProxy(original, "handler", replacement));
  expect(proxy).toBeInstanceOf(Action);
  expect(proxy.name).toBe("ADD");
  expect(proxy.handler).toBe(replacement);
  expect(Reflect.apply(original.validate, original, [])).toBe("ADD is valid");
  expect(typeof proxy.validate === "function" && proxy.validate()).toBe("ADD is valid");
  expect(proxy.validate).toBe(proxy.validate);
  expect(proxy.constructor).toBe(Action);
});

test("reads and writes go to the original, except for the method", () => {
  const original: Record<string, unknown> = { name: "ADD", handler: () => "own", similes: ["SUM"] };
  const { handler } = original;
  const proxy: Record<string, unknown> = Object(createProxy(original, "handler", replacement));
  original.description = "added later";
  proxy.similes = [];
  delete original.name;
  expect([proxy.description, original.similes, "name" in proxy]).toEqual([
    "added later",
    [],
    false,
  ]);
  const wrapped = (): string => "wrapped by others";
  proxy.handler = wrapped;
  expect([proxy.handler, original.handler]).toEqual([wrapped, handler]);
  Object.defineProperty(proxy, "handler", { value: replacement });
  expect([proxy.handler, original.handler]).toEqual([replacement, handler]);
  delete proxy.similes;
  expect("similes" in original).toBe(false);
});

test("a copy of the proxy is a copy of the original with the method, frozen or not", () => {
  const original = { name: "ADD", handler: () => "own", [Symbol.for("tag")]: 1 };
  for (const each of [original, Object.freeze({ ...original })]) {
    const proxy = createProxy(each, "handler", replacement);
    expect({ ...proxy }).toEqual({ ...original, handler: replacement });
    expect(Object.keys(proxy)).toEqual(["name", "handler"]);
    expect(JSON.stringify(proxy)).toBe('{"name":"ADD"}');
    expect(inspect(proxy)).toContain("ADD");
  }
});
