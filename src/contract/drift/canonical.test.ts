import { expect, test } from "vitest";
import { packageRoot } from "../../base/package.js";
import { Canonical } from "./canonical.js";

const canonical = new Canonical(packageRoot());

test.each(canonical.formats().map(({ name }) => name))(
  "every version of %s can be loaded: its references lead to the newest version of their name",
  (name) => {
    const versions = canonical.versionsOf(name);
    expect(versions.length).toBeGreaterThan(1);
    for (const version of versions) expect(canonical.load(name, version).holes).toEqual([]);
  },
);
