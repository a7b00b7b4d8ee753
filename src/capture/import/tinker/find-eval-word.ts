/** Words by which people name what they evaluate with. A word ends where no letter follows: `eval_5`, `my-evals`. */
const EVAL_WORD =
  /(?<!\p{L})(?:evals?|evaluations?|tests?|testing|val|validation|dev|held[-_ ]?out)(?:sets?)?(?!\p{L})/iu;

/** The first word of a name that says that it is of an evaluation; undefined when none does. */
export function findEvalWord(name: string): string | undefined {
  return EVAL_WORD.exec(name)?.[0];
}
