/** What a worker thread can do: pure functions of plain data. */
export { checkBlock } from "../../validation/check-block.js";
export { processBlock } from "../rollouts/process-block.js";
export { processGroups } from "../rollouts/process-groups.js";
