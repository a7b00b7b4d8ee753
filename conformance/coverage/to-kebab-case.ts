/** Words in kebab-case: `toolName`, `n_gram_hash` and `state summary` alike; "" when there are none. */
export function toKebabCase(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}
