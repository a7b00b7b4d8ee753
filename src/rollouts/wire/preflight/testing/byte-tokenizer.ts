/** A tokenizer.json with one token for each byte. */
export function byteTokenizer(): object {
  const printable = [
    [33, 126],
    [161, 172],
    [174, 255],
  ] as const;
  const isPrintable = (byte: number): boolean =>
    printable.some(([first, last]) => byte >= first && byte <= last);
  // As GPT-2 does: a byte that cannot be printed is a letter from U+0100.
  const others = Array.from({ length: 256 }, (_, byte) => byte).filter(
    (byte) => !isPrintable(byte),
  );
  const letters = Array.from({ length: 256 }, (_, byte) =>
    String.fromCharCode(isPrintable(byte) ? byte : 256 + others.indexOf(byte)),
  );
  return {
    version: "1.0",
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: {
      type: "ByteLevel",
      add_prefix_space: false,
      trim_offsets: true,
      use_regex: false,
    },
    post_processor: null,
    decoder: { type: "ByteLevel", add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: "BPE",
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(letters.map((letter, id) => [letter, id])),
      merges: [],
    },
  };
}
