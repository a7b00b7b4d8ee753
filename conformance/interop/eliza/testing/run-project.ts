/**
 * Runs the first agent of `project.ts` in the current folder: an action and a plain reply, along the real message
 * path. It exits when nothing keeps the process alive.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createAction, createAgent, pluginOf } from "./create-agent.js";

const { default: project } = await import(pathToFileURL(resolve("project.ts")).href);
const agent = createAgent([pluginOf(createAction("ADD", "four")), ...project.agents[0].plugins]);
await agent.start();
const heard = [
  ...(await agent.ask("What is 2+2?", { actions: ["ADD"] })),
  ...(await agent.ask("Hello?", { text: "Hello." })),
];
await agent.runtime.stop();
process.stdout.write(JSON.stringify(heard.map(({ text }) => text)));
