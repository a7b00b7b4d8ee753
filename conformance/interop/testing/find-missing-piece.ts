/**
 * Number of the first piece that does not stand in the text after the pieces before it; undefined when
 * all stand there, in order.
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
