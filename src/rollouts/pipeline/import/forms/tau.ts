import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { taskHash } from "../../../wire/conversation/task-hash.js";
import type { RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import {
  type Converted,
  type ConvertedMessage,
  createConvertedReader,
  listObjects,
  placeMessages,
  skipBeside,
  skipRest,
  toPart,
} from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";

/** A trial of one of these is named by its task, and its user is simulated. */
const TRIALS = { groupedBy: "/task_id", simulatesUsers: true } as const;

/**
 * What the trials of a rollout share. Simulated users begin each in words of their own, so it is the task, and what comes
 * before they speak: without that the trials share no text, and only those whose users begin in the same words do.
 * `definition`: what else tells tasks apart that have one id, such as those of two domains; undefined if that is not known.
 */
function groupOf(
  { task_id: id }: JsonObject,
  messages: readonly ConvertedMessage[],
  definition: unknown,
): Pick<Converted, "group" | "opening"> {
  const isText = ([, { content }]: ConvertedMessage): boolean =>
    typeof content === "string" && content.trim() !== "";
  const texts = messages.filter(isText).map(([, { role, content }]) => ({ role, content }));
  const first = texts.findIndex(({ role }) => role === "user");
  const before = texts.slice(0, Math.max(first, 0)).filter(({ role }) => role !== "tool");
  if (before.length === 0 || definition === undefined) {
    return { opening: `${String(id)}-${taskHash(String(texts[first]?.content ?? ""))}` };
  }
  return { group: `${String(id)}-${taskHash(JSON.stringify([before, definition]))}` };
}

/** Results of tau-bench: a JSON array with a trajectory per task and trial. */
export const tauBench: Form = {
  id: "tau-bench",
  purpose: "results of tau-bench",
  unit: "trial",
  files: [],
  options: [],
  recognise: ([first]) => hasKeys(first, "task_id", "traj", "reward"),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "tau-bench", ...TRIALS }, (value) =>
      listObjects(value).map(([at, trial]) => {
        const { traj, reward, trial: number, ...fields } = trial;
        const messages = placeMessages(traj, `${at}/traj`);
        return toPart({
          ...{ pointer: at, ...groupOf(trial, messages, ""), fields, messages },
          reward: { pointer: `${at}/reward`, value: reward },
          session: `${String(trial.task_id)}/${String(number ?? 0)}`,
        });
      }),
    ),
};

/** Results of tau2: a JSON document with simulations. Calls of the simulated user are no part of the conversation. */
export const tau2: Form = {
  id: "tau2",
  purpose: "results of tau2: simulations",
  unit: "simulation",
  files: packed("**/simulations/*.json"),
  options: [],
  recognise: ([first]) => hasKeys(first, "simulations", "tasks") || isSimulation(first),
  createReader: (settings) =>
    createConvertedReader(settings, { id: "tau2", ...TRIALS }, (value) => {
      const isWhole = hasKeys(value, "simulations");
      const simulations = isWhole
        ? listObjects(value.simulations, "/simulations")
        : listObjects(value);
      const tasks = isWhole ? listObjects(value.tasks) : [];
      const parts = simulations.map(([at, simulation]) => {
        const task = tasks.find(([, { id }]) => id === simulation.task_id)?.[1];
        return toSimulation(simulation, at, task);
      });
      if (isWhole) skipBeside(value, ["simulations", "tasks"], parts);
      return parts;
    }),
};

function isSimulation(value: unknown): boolean {
  return hasKeys(value, "task_id", "messages", "reward_info");
}

/** `task`: its definition. Its `ticket` is what the agent is given to do where no user speaks. */
function toSimulation(simulation: JsonObject, at: string, task?: JsonObject): RecordPart {
  const { ticket } = task ?? {};
  const { messages, reward_info: info, id: session, seed, ...fields } = simulation;
  const own = placeMessages(messages, `${at}/messages`);
  const isAlone = typeof ticket === "string" && own.every(([, { role }]) => role !== "user");
  const asked: ConvertedMessage[] = isAlone ? [[at, { role: "user", content: ticket }]] : [];
  const group = groupOf(simulation, [...asked, ...own], task);
  const reward = isJsonObject(info) ? info.reward : undefined;
  const tally = new Tally();
  skipRest(info, `${at}/reward_info`, ["reward"], tally);
  // The provider's copy of a message.
  const spoken = own.map(([place, { raw_data: copy, ...message }]): ConvertedMessage => {
    if (copy !== undefined && copy !== null) tally.skip(`${place}/raw_data`, copy);
    return [place, message];
  });
  return toPart({
    ...{ pointer: at, ...group, session, seed, fields, tally },
    messages: [...asked, ...spoken],
    reward:
      reward === undefined || reward === null
        ? undefined
        : { pointer: `${at}/reward_info/reward`, value: reward },
  });
}
