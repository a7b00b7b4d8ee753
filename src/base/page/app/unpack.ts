/** Parses what `packJson` packed into the element with this id. */
export async function unpack<Value>(id: string): Promise<Value> {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new Error(`the page has lost its part "${id}"`);
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return await new Response(json).json();
}
