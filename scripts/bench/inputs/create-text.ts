import { Random } from "./random.js";

/** Words in use; few enough to repeat, many enough that no eight in a row do so by chance. */
const VOCABULARY = 6000;
const SYLLABLES = "ka re to mi sol ban der lin au fex or ti ven schu pra ne gol ist um ya".split(
  " ",
);
/** Accents, other scripts, typography and an emoji: strings that are not Latin-1 in memory. */
const UNICODE_WORDS = [
  "naïve",
  "Größe",
  "東京",
  "“quoted”",
  "→",
  "данные",
  "🚀",
  "café",
  "5 €",
  "सूची",
];

const WORDS: readonly string[] = Array.from({ length: VOCABULARY }, (_, index) => {
  const random = new Random("word", index);
  const syllables = Array.from({ length: random.integer(1, 3) }, () => random.pick(SYLLABLES));
  return syllables.join("");
});

/** A text of `words` words; `unicode` scatters words beyond ASCII in it. */
export function createText(random: Random, words: number, unicode = false): string {
  let text = "";
  for (let index = 0; index < words; index += 1) {
    const foreign = unicode && random.chance(8);
    const end = random.chance(7) ? ". " : " ";
    text += (foreign ? random.pick(UNICODE_WORDS) : random.pick(WORDS)) + end;
  }
  return text.trimEnd();
}
