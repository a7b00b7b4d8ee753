import type { JSX } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { formatCount } from "../../text.js";
import { explainOutcome, type RolloutView, viewRollout } from "../../view/rollout-view.js";
import type { PackedRollout, ReportIndex } from "../report-data.js";
import { BranchHead, Messages } from "./branch-view.js";
import { Choice, Kinds } from "./controls.js";
import { Findings } from "./findings-page.js";
import { KINDS, type MessageStyle } from "./message-view.js";
import { PairPart } from "./pair-part.js";
import { changeQuery, type Route, toAddress } from "./route.js";
import { Scrollable, Title } from "./shell.js";
import { type Mark, showControls, TEXT_MODES } from "./text-view.js";
import type { Rollouts } from "./unpack.js";

interface RolloutPageProps {
  readonly index: ReportIndex;
  readonly rollouts: Rollouts;
  readonly route: Route;
}

/** One rollout: its branches beside one another, or its pair. */
export function RolloutPage({ index, rollouts, route }: RolloutPageProps): JSX.Element {
  const number = Number(route.path[1]);
  const row = index.rows[number];
  const packed = useRead(rollouts, number);
  if (row === undefined || packed instanceof Error) {
    return (
      <>
        <Title>No such rollout</Title>
        <p>
          {packed instanceof Error ? packed.message : "The page has no rollout of this number."}
        </p>
      </>
    );
  }
  return (
    <>
      <nav class="pager" aria-label="Neighbours">
        <Neighbour title="Previous" number={number - 1} index={index} />
        <Neighbour title="Next" number={number + 1} index={index} />
      </nav>
      <Title key={number}>Rollout {showControls(row.id)}</Title>
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

function useRead(rollouts: Rollouts, number: number): PackedRollout | Error | undefined {
  const [state, setState] = useState<{ number: number; value: PackedRollout | Error }>();
  useEffect(() => {
    let isCurrent = true;
    const show = (value: PackedRollout | Error): void => {
      if (isCurrent) setState({ number, value });
    };
    rollouts.read(number).then(show, (error: Error) => show(error));
    return () => {
      isCurrent = false;
    };
  }, [rollouts, number]);
  return state?.number === number ? state.value : undefined;
}

interface NeighbourProps {
  readonly title: string;
  readonly number: number;
  readonly index: ReportIndex;
}

function Neighbour({ title, number, index }: NeighbourProps): JSX.Element | null {
  if (index.rows[number] === undefined) return null;
  return <a href={toAddress(["rollouts", String(number)])}>{title}</a>;
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
  const marks = useMemo(() => markTask(packed), [packed]);
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
          view={view}
          pair={view.pair}
          packed={packed}
          target={target}
          style={style}
          marks={marks}
        />
      ) : (
        <Branches view={view} packed={packed} style={style} marks={marks} />
      )}
    </>
  );
}

/** The marks in the task, without overlaps: the item that shares most comes first. */
function markTask({ overlaps }: PackedRollout): Mark[] {
  return overlaps
    .flatMap(({ item, spans }) =>
      spans.map(([start, end]) => ({ start, end, title: `evaluation item ${item}` })),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end);
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
        {overlaps.map(({ item, place, ratio, longestSpan }) => (
          <li key={place}>
            shares {formatCount(longestSpan, "word")} in a row with evaluation item{" "}
            <b>{showControls(item)}</b> ({showControls(place)}), {Math.round(100 * ratio)} % of it
          </li>
        ))}
      </ul>
    </section>
  );
}

interface BranchesProps {
  readonly view: RolloutView;
  readonly packed: PackedRollout;
  readonly style: MessageStyle;
  readonly marks: readonly Mark[];
}

function Branches({ view, packed, style, marks }: BranchesProps): JSX.Element {
  const { branches, shared, pair } = view;
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
        {branches.map((branch) => (
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
    </>
  );
}
