/**
 * Index of the first piece that the text does not contain after the previous pieces; undefined if it contains
 * all of them in order.
 */
export function findMissingPiece(text: string, pieces: readonly string[]): number | undefined {
  let from = 0;
  for (const [index, piece] of pieces.entries()) {
    const at = text.indexOf(piece, from);
    if (at === -1) return index;
    from = at + piece.length;
  }
  return undefined;
}
