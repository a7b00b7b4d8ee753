import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { NumberedSink, numbersUpTo } from "../testing/numbered-sink.js";
import { useFolder } from "../testing/use-folder.js";
import { createDelivery } from "./create-delivery.js";

const SCRIPT = fileURLToPath(new URL("testing/push-to-small-disk.ts", import.meta.url));
const inFolder = useFolder();

test.runIf(process.platform === "linux")(
  "what the disk took half is whole all the same",
  async () => {
    // Blocks of 1,024 bytes: every ninth write or so ends half-way.
    const command = `ulimit -f 9 && exec "$@"`;
    const args = [
      "-c",
      command,
      "bash",
      process.execPath,
      "--import",
      "tsx",
      SCRIPT,
      inFolder("spool"),
    ];
    const env = { ...process.env, TSX_DISABLE_CACHE: "1" };
    const child = spawn("bash", args, { stdio: ["ignore", "ignore", "inherit"], env });
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    const sink = new NumberedSink();
    const delivery = createDelivery({ sink, spoolDir: inFolder("spool") });
    await expect.poll(() => sink.arrived.length).toBeGreaterThanOrEqual(60);
    await delivery.close();
    // The last one may be the one that failed: in memory until the next.
    const arrived = sink.arrived.filter((number) => number < 60).sort((a, b) => a - b);
    expect(arrived).toEqual(numbersUpTo(60));
    expect(delivery.stats()).toMatchObject({ rejected: 0, dropped: 0 });
  },
);
