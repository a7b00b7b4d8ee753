import { type FixtureContent, toValue } from "../fixtures/fixture.js";

/** The records of a fixture, each of which is judged alone; none for a text that is not JSON. */
export function recordsOf(content: FixtureContent): readonly unknown[] {
  if ("rollout" in content) return content.rollout;
  const record = toValue(content);
  return record === undefined ? [] : [record];
}
