/** Fields that name what `value` is, in lists of headers, of settings and of form fields. */
const NAMES = ["name", "key", "header", "variable"] as const;

export function isPairField(name: string | undefined): boolean {
  return NAMES.some((field) => field === name);
}

/** Whether an object is a pair such as `{"name": "x-api-key", "value": "..."}`, whose value is a secret. */
export function isSecretPair(
  read: (field: string) => unknown,
  isSecretField: (name: string) => boolean,
): boolean {
  return NAMES.some((field) => {
    const name = read(field);
    return typeof name === "string" && isSecretField(name);
  });
}
