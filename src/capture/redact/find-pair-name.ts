/** Fields that name what `value` is, in lists of headers, of settings and of form fields. */
const NAMES = ["name", "key", "header", "variable"] as const;

export function isPairField(name: string | undefined): boolean {
  return NAMES.some((field) => field === name);
}

/** The name in a pair such as `{"name": "x-api-key", "value": "..."}`, if it is that of a secret. */
export function findPairName(
  read: (field: string) => unknown,
  maySecret: (name: string) => boolean,
): string | undefined {
  return NAMES.map(read).find(
    (name): name is string => typeof name === "string" && maySecret(name),
  );
}
