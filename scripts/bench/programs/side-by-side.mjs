/**
 * Runs a Node program twice in parallel with the same arguments, and waits for both:
 *
 *     node side-by-side.mjs PROGRAM ARGUMENT...
 */
import { spawn } from "node:child_process";
import { once } from "node:events";

const argv = process.argv.slice(2);
const children = [0, 1].map(() => spawn(process.execPath, argv, { stdio: "ignore" }));
const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;
