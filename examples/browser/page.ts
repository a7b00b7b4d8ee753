/** Checks the records in the text field, and shows the DPO records of their rollouts: see the README in this folder. */

import { isDefinitionName } from "rollout-wire";
import { type CheckedText, checkText, type Fault, type RolloutPair } from "./check-text.js";

/** More rows are slow to show, and nobody reads them. */
const SHOWN_FAULTS = 200;

const form = find("form", HTMLFormElement);
const type = find("type", HTMLSelectElement);
const records = find("records", HTMLTextAreaElement);
const verdict = find("verdict", HTMLElement);
const faultTable = find("faults", HTMLTableElement);
const pairSection = find("pairs", HTMLElement);
const pairList = find("pair-list", HTMLElement);

form.addEventListener("submit", (event) => {
  event.preventDefault();
  check();
});
check();

function check(): void {
  if (!isDefinitionName(type.value)) throw new TypeError(`no type ${type.value}`);
  const checked = checkText(records.value, type.value);
  verdict.textContent = describe(checked);
  faultTable.hidden = checked.faults.length === 0;
  faultTable.tBodies[0]?.replaceChildren(...checked.faults.slice(0, SHOWN_FAULTS).map(toRow));
  pairSection.hidden = checked.pairs.length === 0;
  pairList.replaceChildren(...checked.pairs.map(toArticle));
}

function describe({ records, valid, faults }: CheckedText): string {
  if (records === 0) return "No records.";
  const count = `${records} ${records === 1 ? "record" : "records"}`;
  if (faults.length === 0) return `${count}: valid.`;
  const found = `${faults.length} ${faults.length === 1 ? "fault" : "faults"}`;
  const shown = faults.length > SHOWN_FAULTS ? `, the first ${SHOWN_FAULTS} below` : "";
  return `${count}, ${valid} valid: ${found}${shown}.`;
}

function toRow({ place, pointer, message }: Fault): HTMLElement {
  // The pointer of a whole record is empty.
  const where = pointer === undefined ? "(text)" : pointer || "(record)";
  return create("tr", ...[place, where, message].map((text) => create("td", text)));
}

function toArticle({ rolloutId, record, reason }: RolloutPair): HTMLElement {
  const content =
    record === null
      ? create("p", `No pair: ${reason}.`)
      : create("pre", JSON.stringify(record, null, 2));
  return create("article", create("h3", rolloutId), content);
}

/** A new element. Texts are never read as HTML, whatever a record says. */
function create(tag: string, ...content: readonly (string | Node)[]): HTMLElement {
  const element = document.createElement(tag);
  element.append(...content);
  return element;
}

function find<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new TypeError(`page.html has no ${kind.name} #${id}`);
}
