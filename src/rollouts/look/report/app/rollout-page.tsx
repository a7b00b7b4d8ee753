import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { addTo } from "../../../../base/group-by.js";
import { resolvePointer } from "../../../../base/json/pointer.js";
import { Findings } from "../../../../base/page/app/findings.js";
import { Place } from "../../../../base/page/app/place.js";
import { changeQuery, type Route, toAddress } from "../../../../base/page/app/route.js";
import { Scrollable, Title } from "../../../../base/page/app/shell.js";
import { cutId, type Mark, showControls, TEXT_MODES } from "../../../../base/page/app/text-view.js";
import { formatCount } from "../../../../base/text.js";
import { isTargetId } from "../../../wire/export/targets/index.js";
import { explainOutcome, type RolloutView, viewRollout } from "../../rollout-view.js";
import type { PackedRollout, ReportIndex } from "../report-data.js";
import { BranchHead, type Marks, Messages } from "./branch-view.js";
import { Choice, Kinds } from "./controls.js";
import { KINDS, type MessageStyle } from "./message-view.js";
import type { Rollouts } from "./packed-rollouts.js";
import { PairPart } from "./pair-part.js";
import { findRows } from "./row-query.js";

interface RolloutPageProps {
  readonly index: ReportIndex;
  readonly rollouts: Rollouts;
  readonly route: Route;
}

/** One rollout: its branches beside one another, or its pair. */
export function RolloutPage({ index, rollouts, route }: RolloutPageProps): JSX.Element {
  const [, place = ""] = route.path;
  const number = findRow(index.rows, place);
  const row = index.rows[number];
  const packed = useRead(rollouts, number);
  if (row === undefined || packed instanceof Error) {
    const found = formatCount(index.rows.length, "rollout");
    return (
      <>
        <Title>No such rollout</Title>
        <p>
          {packed instanceof Error
            ? packed.message
            : `This page has ${found}, none of this number or id.`}{" "}
          <a href={toAddress(["rollouts"])}>List</a>
        </p>
      </>
    );
  }
  return (
    <>
      <Neighbours number={number} index={index} query={route.query} />
      <Title key={number}>Rollout {cutId(row.id)}</Title>
      <p>
        {row.outcome === "pair" ? (
          <b>pair for {index.target}</b>
        ) : (
          <>
            no pair for {index.target} ({row.outcome}): {explainOutcome(row.outcome)}
          </>
        )}
      </p>
      {packed && <Opened key={number} id={row.id} packed={packed} index={index} route={route} />}
    </>
  );
}

/** The index of the row with a number or an id, as an address has it; -1 if there is none. */
function findRow(rows: ReportIndex["rows"], place: string): number {
  if (/^\d+$/.test(place) && Number(place) < rows.length) return Number(place);
  return rows.findIndex(({ id }) => id === place || encodeURIComponent(id) === place);
}

function useRead(rollouts: Rollouts, number: number): PackedRollout | Error | undefined {
  const [state, setState] = useState<{ number: number; value: PackedRollout | Error }>();
  useEffect(() => {
    let isCurrent = true;
    const show = (value: PackedRollout | Error): void => {
      if (isCurrent) setState({ number, value });
    };
    if (number >= 0) rollouts.read(number).then(show, (error: Error) => show(error));
    return () => {
      isCurrent = false;
    };
  }, [rollouts, number]);
  return state?.number === number ? state.value : undefined;
}

interface NeighboursProps {
  readonly number: number;
  readonly index: ReportIndex;
  readonly query: URLSearchParams;
}

/** Links to the list and to the rollouts before and after in it, all with the same choices. */
function Neighbours({ number, index: { rows }, query }: NeighboursProps): JSX.Element {
  const listed = useMemo(() => findRows(rows, query), [rows, query]);
  const at = listed.indexOf(number);
  const [previous, next] = at < 0 ? [] : [listed[at - 1], listed[at + 1]];
  const link = (title: string, ...place: readonly (number | undefined)[]): JSX.Element | null =>
    place.includes(undefined) ? null : (
      <a href={toAddress(["rollouts", ...place.map(String)], query)}>{title}</a>
    );
  return (
    <nav class="pager" aria-label="Neighbours">
      {link("List")}
      {link("Previous", previous)}
      {link("Next", next)}
    </nav>
  );
}

interface OpenedProps {
  readonly id: string;
  readonly packed: PackedRollout;
  readonly index: ReportIndex;
  readonly route: Route;
}

function Opened({ id, packed, index: { target }, route }: OpenedProps): JSX.Element {
  const { query } = route;
  const values = packed.branches.map(({ value }) => value);
  const view = useMemo(() => viewRollout(id, values, { ...packed, target }), [packed]);
  const mode = TEXT_MODES.find((each) => each === query.get("mode")) ?? "text";
  const hidden = new Set(KINDS.filter((kind) => query.get("hide")?.split(",").includes(kind)));
  const style = { mode, hidden };
  const marks = useMemo(() => markTexts(packed), [packed]);
  const trainer = query.get("trainer") ?? target;
  const isPair = query.get("view") === "pair" && view.pair !== undefined;
  const set = (name: string, value: string): void => changeQuery(route, { [name]: value });
  return (
    <>
      <Overlaps packed={packed} />
      <Findings findings={packed.findings} />
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        {view.pair && (
          <Choice
            title="Show"
            values={["branches", "pair"]}
            value={isPair ? "pair" : "branches"}
            onChange={(value) => set("view", value === "pair" ? value : "")}
          />
        )}
        <Choice
          title="Text"
          values={TEXT_MODES}
          value={mode}
          onChange={(value) => set("mode", value)}
        />
        <Kinds hidden={hidden} onChange={(kinds) => set("hide", kinds.join(","))} />
      </form>
      {isPair && view.pair ? (
        <PairPart
          pair={view.pair}
          packed={packed}
          trainer={isTargetId(trainer) ? trainer : target}
          onTrainer={(id) => set("trainer", id)}
          style={style}
          marks={marks}
        />
      ) : (
        <Branches view={view} packed={packed} style={style} marks={marks} />
      )}
    </>
  );
}

/** The marks in each text, in order; of several at one place, the longest first. */
function markTexts({ overlaps, branches }: PackedRollout): Marks {
  const marks = new Map<string, Mark[]>();
  for (const { item, spans, pointer, branch } of overlaps) {
    const text = resolvePointer(branches[branch]?.value, pointer);
    if (typeof text !== "string") continue;
    const title = `evaluation item ${item}`;
    for (const [start, end] of spans) addTo(marks, text, { start, end, title });
  }
  for (const each of marks.values()) each.sort((a, b) => a.start - b.start || b.end - a.end);
  return marks;
}

function Overlaps({
  packed: { overlaps },
}: {
  readonly packed: PackedRollout;
}): JSX.Element | null {
  if (overlaps.length === 0) return null;
  return (
    <section class="note">
      <h2>Contaminated</h2>
      <ul>
        {overlaps.map(({ item, file, line, ratio, longestSpan, place, pointer, branch }) => (
          <li key={`${file}:${line} ${branch}${pointer}`}>
            {showControls(place)} shares {Math.round(100 * ratio)} % of the words of evaluation item{" "}
            <b>{showControls(item)}</b> (<Place file={file} line={line} />
            ), at most {formatCount(longestSpan, "word")} in a row
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Branches that are shown before the reader wants more. */
const FIRST_BRANCHES = 12;

interface BranchesProps {
  readonly view: RolloutView;
  readonly packed: PackedRollout;
  readonly style: MessageStyle;
  readonly marks: Marks;
}

function Branches({ view, packed, style, marks }: BranchesProps): JSX.Element {
  const { branches, shared, pair } = view;
  const [most, setMost] = useState(FIRST_BRANCHES);
  const [first] = branches;
  return (
    <>
      {first && shared > 0 && (
        <section>
          <h2>The same in all branches</h2>
          <Messages branch={first} start={0} end={shared} style={style} marks={marks} />
        </section>
      )}
      <Scrollable label="Branches" kind="columns">
        {branches.slice(0, most).map((branch) => (
          <section key={branch.branch.branch_index}>
            <BranchHead branch={branch} packed={packed} />
            {(branch === pair?.chosen || branch === pair?.rejected) &&
              pair.reason === undefined && (
                <p class={branch === pair.chosen ? "chosen" : "rejected"}>
                  {branch === pair.chosen ? "chosen" : "rejected"}
                </p>
              )}
            <Messages branch={branch} start={shared} style={style} marks={marks} />
          </section>
        ))}
      </Scrollable>
      {most < branches.length && (
        <button type="button" onClick={() => setMost(most + FIRST_BRANCHES)}>
          Show more of {formatCount(branches.length, "branch", "branches")}
        </button>
      )}
    </>
  );
}
