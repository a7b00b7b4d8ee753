import { expect, test } from "vitest";
import { listMovers } from "./list-movers.js";

test("who reads and writes is a writer", () => {
  const schema = { consumers: ["plugin", "pipeline", "product"], producers: ["owner", "plugin"] };
  expect(listMovers(schema)).toEqual({
    readers: ["pipeline", "product"],
    writers: ["owner", "plugin"],
  });
});
