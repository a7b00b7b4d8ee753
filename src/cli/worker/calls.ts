import type { Runner } from "../command.js";
import { writeFeatures } from "./features.js";
import { writeKeys } from "./keys.js";
import { mergePartitions } from "./merge-partitions.js";
import { addTaskCounts } from "./tasks.js";

/** What an engine needs besides the commands of the program, by name. */
export type Calls = ReadonlyMap<string, Runner>;

export const calls: Calls = new Map<string, Runner>([
  ["keys", writeKeys],
  ["add-task-counts", addTaskCounts],
  ["features", writeFeatures],
  ["merge-reports", mergePartitions],
]);
