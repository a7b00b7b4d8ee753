import { isJsonObject, type JsonObject } from "../../../../base/json/value.js";
import { formatCount } from "../../../../base/text.js";
import type { ImportFault, RecordPart } from "../reader.js";
import { Tally } from "../tally.js";
import { listObjects, skipRest } from "./converted.js";
import { type Form, hasKeys, packed } from "./form.js";
import { chooseMap, findPreset } from "./rows/chosen-map.js";
import { MessagesReader } from "./rows.js";

const GROUP = "episode_group";

/**
 * Episodes of verifiers since 0.4.0: a line each, with the traces of its agents. A trace is read as those of prime-rl are.
 * The traces of agents that do not train, such as judges, are left out.
 */
export const verifiers: Form = {
  id: "verifiers",
  purpose: "episodes of verifiers, with the traces of their agents",
  unit: "trace",
  files: packed("**/episodes.jsonl"),
  options: [],
  recognise: ([first]) => hasKeys(first, "traces", "task", "env") && Array.isArray(first.traces),
  createReader(settings) {
    const preset = findPreset("prime-rl");
    const chosen = chooseMap({ preset, fields: `group=/${GROUP}` });
    const inner = new MessagesReader(settings, chosen, { source: "verifiers" });
    return {
      refuseFile: () => undefined,
      split: (value) => listObjects(value).flatMap(([at, episode]) => splitEpisode(at, episode)),
      read: (row) => inner.read(row),
      summarise: () =>
        inner.summarise().map(([label, text]) => [label, text.replace(`/${GROUP}`, "/group/id")]),
    };
  },
};

function splitEpisode(at: string, episode: JsonObject): RecordPart[] {
  const { traces, group, task, errors, env } = episode;
  const all = listObjects(traces, `${at}/traces`);
  const trained = all.filter(([, { agent }]) => !isJsonObject(agent) || agent.trainable !== false);
  const key = isJsonObject(task) ? (task.key ?? task.hash) : undefined;
  const id = isJsonObject(group) ? group.id : key;
  const names = new Set(trained.map(([, trace]) => nameOf(trace)));
  const warnings = warn(at, all.length - trained.length);
  if (trained.length === 0) {
    const message = "has no trace of an agent that trains";
    return [{ value: episode, pointer: at, fault: { id: "no-text", pointer: at, message } }];
  }
  return trained.map(([pointer, trace], index): RecordPart => {
    const own = names.size > 1 ? `${String(id)}/${nameOf(trace)}` : id;
    const failed = Array.isArray(errors) && errors.length > 0 && { errors };
    const { agent, ...rest } = trace;
    const tally = new Tally();
    skipRest(agent, `${pointer}/agent`, ["name", "trainable"], tally);
    const value = { ...failed, ...rest, ...(own !== undefined && { [GROUP]: own }), env };
    const toTextPointer = (inner: string): string =>
      inner.startsWith(`/${GROUP}`) ? `${at}/group` : `${pointer}${inner}`;
    return { value, pointer, toTextPointer, tally, warnings: index === 0 ? warnings : [] };
  });
}

function nameOf({ agent }: JsonObject): string {
  return isJsonObject(agent) && typeof agent.name === "string" ? agent.name : "agent";
}

function warn(pointer: string, count: number): ImportFault[] {
  if (count === 0) return [];
  const cause = "of agents that do not train left out";
  return [
    {
      id: "subagent-trajectory",
      pointer,
      message: `${formatCount(count, "trace")} ${cause}`,
      cause,
    },
  ];
}
