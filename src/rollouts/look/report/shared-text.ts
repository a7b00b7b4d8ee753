import { normaliseTokens } from "../../wire/decontamination/tokens.js";

/** A token of a text, and where in the text it comes from. */
interface PlacedToken {
  readonly token: string;
  readonly start: number;
  readonly end: number;
}

/** What may become a token together: everything between white space. */
const PIECE = /\S+/gu;

/**
 * Finds what a task shares with an evaluation item, as G3 compares them: UTF-16 ranges of the task in order, `end`
 * exclusive. A shared text has at least `n` tokens, or all of a shorter item. Empty if nothing is shared. Linear in both
 * texts for a given n.
 */
export function findSharedText(
  task: string,
  item: string,
  n: number,
): (readonly [start: number, end: number])[] {
  const placed = placeTokens(task);
  const itemTokens = normaliseTokens(item);
  const width = Math.min(n, itemTokens.length);
  if (width === 0) return [];
  const windows = new Set<string>();
  for (let at = 0; at + width <= itemTokens.length; at += 1) {
    windows.add(itemTokens.slice(at, at + width).join(" "));
  }
  const spans: [start: number, end: number][] = [];
  for (let at = 0; at + width <= placed.length; at += 1) {
    const window = placed.slice(at, at + width);
    if (!windows.has(window.map(({ token }) => token).join(" "))) continue;
    const [start, end] = [window[0]?.start ?? 0, window.at(-1)?.end ?? 0];
    const last = spans.at(-1);
    if (last !== undefined && start <= last[1] + 1) last[1] = end;
    else spans.push([start, end]);
  }
  return spans;
}

/** The tokens of a text: those of its pieces, because a token holds no white space. */
function placeTokens(text: string): PlacedToken[] {
  return [...text.matchAll(PIECE)].flatMap(({ 0: piece, index }) =>
    placeInPiece(piece).map(({ token, start, end }) => ({
      token,
      start: index + start,
      end: index + end,
    })),
  );
}

/** Each token of a piece is looked up in it. One that normalisation has changed is taken to be all of the rest. */
function placeInPiece(piece: string): PlacedToken[] {
  const lower = piece.toLowerCase();
  const isAligned = lower.length === piece.length;
  let from = 0;
  return normaliseTokens(piece).map((token) => {
    const at = isAligned ? lower.indexOf(token, from) : -1;
    if (at < 0) return { token, start: from, end: piece.length };
    from = at + token.length;
    return { token, start: at, end: from };
  });
}
