import { diffWordsWithSpace } from "diff";
import type { JSX } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Message } from "#generated/index.js";
import { Place } from "../../../../base/page/app/place.js";
import { showControls, TextView } from "../../../../base/page/app/text-view.js";
import { formatCount } from "../../../../base/text.js";
import { buildRollout } from "../../../wire/export/build-rollout.js";
import { isTargetId, type TargetId, targets } from "../../../wire/export/targets/index.js";
import { resolveExportOptions } from "../../../wire/export/targets/target.js";
import { isRanked, type PairView } from "../../rollout-view.js";
import type { PackedRollout } from "../report-data.js";
import { BranchHead, type Marks, Messages } from "./branch-view.js";
import { Choice } from "./controls.js";
import { type MessageStyle, MessageView } from "./message-view.js";

interface PairPartProps {
  readonly pair: PairView;
  readonly packed: PackedRollout;
  /** The trainer whose records are shown. */
  readonly trainer: TargetId;
  readonly onTrainer: (trainer: TargetId) => void;
  readonly style: MessageStyle;
  readonly marks: Marks;
}

const SIDES = ["chosen", "rejected"] as const;
type Side = (typeof SIDES)[number];

/** What a side is called: without a pair, nothing is chosen. */
function nameOf(side: Side, { reason }: PairView): string {
  if (reason === undefined) return side;
  return side === "chosen" ? "best by rank" : "worst by rank";
}

function classOf(side: Side, { reason }: PairView): string {
  return reason === undefined ? side : "role";
}

/** Chosen and rejected: what they share, where they part, and what the trainer gets. */
export function PairPart({ pair, packed, style, marks, ...trainer }: PairPartProps): JSX.Element {
  const { chosen, parting, reason } = pair;
  const [act, other] = parting.acts;
  return (
    <>
      <details>
        <summary>
          {parting.shared}; they part in assistant turn {parting.turn}
        </summary>
        <Messages branch={chosen} start={0} end={parting.at} style={style} marks={marks} />
      </details>
      {reason === undefined && (
        <p>
          {showControls(act)} against {showControls(other)}
        </p>
      )}
      {parting.difference !== undefined && (
        <p>The prompts differ first at {showControls(parting.difference)}</p>
      )}
      <div class="columns pair">
        {SIDES.map((side) => (
          <section key={side}>
            <p class={classOf(side, pair)}>{nameOf(side, pair)}</p>
            <BranchHead branch={pair[side]} packed={packed} />
          </section>
        ))}
      </div>
      <Differences pair={pair} style={style} />
      <Records packed={packed} {...trainer} />
    </>
  );
}

/** Rows that are shown before the reader wants more. */
const FIRST_ROWS = 40;

function Differences({
  pair,
  style,
}: {
  readonly pair: PairView;
  readonly style: MessageStyle;
}): JSX.Element {
  const { chosen, rejected, parting } = pair;
  const shared = parting.at;
  const [most, setMost] = useState(FIRST_ROWS);
  const length = Math.max(chosen.messages.length, rejected.messages.length) - shared;
  const rows = Array.from({ length: Math.min(most, length) }, (_, row) => shared + row);
  return (
    <>
      {rows.map((at) => (
        <Difference
          key={at}
          pair={pair}
          one={chosen.messages[at]}
          other={rejected.messages[at]}
          style={style}
        />
      ))}
      {most < length && (
        <button type="button" onClick={() => setMost(most + 10 * FIRST_ROWS)}>
          Show more of {formatCount(length - most, "row")}
        </button>
      )}
    </>
  );
}

interface DifferenceProps {
  readonly pair: PairView;
  readonly one: Message | undefined;
  readonly other: Message | undefined;
  readonly style: MessageStyle;
}

/** Longer texts, in UTF-16 code units of both, are not compared word by word. */
const MAX_COMPARED = 20_000;

function Difference({ pair, one, other, style }: DifferenceProps): JSX.Element {
  const parts = useMemo(() => compareWords(one, other), [one, other]);
  return (
    <div class="columns pair">
      {SIDES.map((side) => {
        const message = side === "chosen" ? one : other;
        return (
          <section key={side}>
            {message && (
              <>
                <p class={`narrow ${classOf(side, pair)}`}>{nameOf(side, pair)}</p>
                <MessageView
                  message={message}
                  open
                  {...style}
                  {...(parts &&
                    style.mode === "text" && { content: <Words parts={parts} side={side} /> })}
                />
              </>
            )}
          </section>
        );
      })}
    </div>
  );
}

type Parts = readonly {
  readonly value: string;
  readonly added: boolean;
  readonly removed: boolean;
}[];

/** Undefined if the two are not the same kind of message or results of the same tool, or if they are too long. */
function compareWords(one: Message | undefined, other: Message | undefined): Parts | undefined {
  if (one === undefined || other?.role !== one.role || other.name !== one.name) return undefined;
  if (one.content.length + other.content.length > MAX_COMPARED) return undefined;
  return diffWordsWithSpace(one.content, other.content, { timeout: 200 });
}

function Words({ parts, side }: { readonly parts: Parts; readonly side: Side }): JSX.Element {
  const own = parts.filter(({ added, removed }) => (side === "chosen" ? !added : !removed));
  return (
    <pre class="text">
      {own.map(({ value, added, removed }, index) => {
        if (!added && !removed) return showControls(value);
        return <ins key={index}>{showControls(value)}</ins>;
      })}
    </pre>
  );
}

type RecordsProps = Pick<PairPartProps, "packed" | "trainer" | "onTrainer">;

/** What each trainer gets of the rollout: the lines of the exported file. */
function Records({ packed, trainer, onTrainer }: RecordsProps): JSX.Element {
  const built = useMemo(() => buildLines(packed, trainer), [packed, trainer]);
  return (
    <section>
      <h2>What the trainer gets</h2>
      <form class="filters" onSubmit={(event) => event.preventDefault()}>
        <Choice
          title="Trainer"
          values={Object.keys(targets)}
          value={trainer}
          onChange={(id) => isTargetId(id) && onTrainer(id)}
        />
      </form>
      {built.length === 0 && <p>{trainer} gets no record of this rollout.</p>}
      {built.map(({ kind, lines }) => (
        <div key={kind}>
          <h3>{kind}</h3>
          {lines.map((line, index) => (
            <Line key={index} text={line} />
          ))}
        </div>
      ))}
      {packed.pairs.length > 0 && <h3>In the exported files</h3>}
      {packed.pairs.map(({ file, line, text }) => (
        <div key={`${file}:${line}`}>
          <p>
            <Place file={file} line={line} />
            {isBuilt(text) && `, the same as that of ${trainer} above`}
          </p>
          <Line text={text} />
        </div>
      ))}
    </section>
  );

  function isBuilt(text: string): boolean {
    return built.some(({ lines }) => lines.includes(text));
  }
}

function Line({ text }: { readonly text: string }): JSX.Element {
  return (
    <div class="line">
      <TextView text={text} />
    </div>
  );
}

interface BuiltLines {
  readonly kind: string;
  readonly lines: readonly string[];
}

/** The lines as an export with default options writes them. One that holds the time of the export has 0 there. */
function buildLines({ branches, lost, isInvalid }: PackedRollout, target: TargetId): BuiltLines[] {
  const ranked = branches.map(({ value }) => value).filter(isRanked);
  if (isInvalid || ranked.length === 0) return [];
  const options = resolveExportOptions({ exportedAtMs: 0 });
  const { records } = buildRollout(ranked, targets[target], options, lost);
  return Object.entries(records).flatMap(([kind, own]) =>
    own.length === 0 ? [] : [{ kind, lines: own.map((record) => JSON.stringify(record)) }],
  );
}
