import { answer, user } from "../testing/rows.js";
import { testRows } from "../testing/test-rows.js";

testRows([
  [
    "a weight of 2",
    "openai",
    { messages: [user, { ...answer, weight: 2 }] },
    ["loss-mask error /messages/1/weight"],
  ],
  [
    "everything masked",
    "openai",
    { messages: [user, { ...answer, weight: 0 }] },
    ["loss-mask error /messages"],
  ],
  [
    "everything masked",
    "axolotl",
    { messages: [user, { ...answer, train: false }] },
    ["loss-mask error /messages"],
  ],
  [
    "a mask as text",
    "axolotl",
    { messages: [user, { ...answer, train: "no" }] },
    ["loss-mask error /messages/1/train"],
  ],
  [
    "a mask of another trainer",
    "trl-sft",
    { messages: [user, { ...answer, weight: 0 }] },
    ["loss-mask warning /messages/1/weight"],
  ],
  [
    "a mask of another trainer",
    "tinker",
    { messages: [user, { ...answer, loss_mask: 0 }] },
    ["loss-mask warning /messages/1/loss_mask"],
  ],
  [
    "a mask of another length",
    "trl-sft",
    { input_ids: [1, 2], completion_mask: [1] },
    ["loss-mask error /completion_mask"],
  ],
  [
    "labels that train nothing",
    "axolotl",
    { input_ids: [1, 2], labels: [-100, -100] },
    ["loss-mask error /labels"],
  ],
]);
