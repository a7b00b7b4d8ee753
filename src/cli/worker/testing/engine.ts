import { encodeFrame, type Frame, MAX_PAYLOAD } from "../frames.js";

/** The frames of a job as an engine sends them. */
export function toJob(
  job: unknown,
  stdin: string | Uint8Array = "",
  chunk: number = MAX_PAYLOAD,
): Buffer {
  const bytes = Buffer.from(stdin);
  const frames = [encodeFrame("job", Buffer.from(JSON.stringify(job)))];
  for (let at = 0; at < bytes.length; at += chunk) {
    frames.push(encodeFrame("input", bytes.subarray(at, at + chunk)));
  }
  return Buffer.concat([...frames, encodeFrame("end", Buffer.alloc(0))]);
}

/** What a worker answers to a job. */
export interface Answer {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly stderrDropped: number;
  readonly files: Readonly<Record<string, string>>;
}

/** Collects the answers in frames. Throws if a frame is not in its place. */
export function toAnswers(frames: readonly Frame[]): Answer[] {
  const answers: Answer[] = [];
  let [stdout, file] = ["", ""];
  let files: Record<string, string> = {};
  const left = new Map<string, number>();
  for (const { type, payload } of frames) {
    if (type === "hello" && answers.length === 0) continue;
    if (type === "output") stdout += payload.toString("utf8");
    else if (type === "file") {
      const { name, bytes } = JSON.parse(payload.toString("utf8"));
      file = name;
      files[name] = "";
      left.set(name, bytes);
    } else if (type === "data" && left.has(file)) {
      files[file] += payload.toString("utf8");
      left.set(file, (left.get(file) ?? 0) - payload.length);
    } else if (type === "exit") {
      const { exit_code: exitCode, stderr, stderr_dropped } = JSON.parse(payload.toString("utf8"));
      const wrong = [...left].find(([, bytes]) => bytes !== 0);
      if (wrong !== undefined) throw new Error(`${wrong[0]} has another size than it says`);
      answers.push({ exitCode, stdout, stderr, stderrDropped: stderr_dropped, files });
      [stdout, file, files] = ["", "", {}];
      left.clear();
    } else throw new Error(`a frame of type ${type} is out of place`);
  }
  return answers;
}
