/** Whether a value stands for a secret and is none: `$TOKEN`, `<your key>`, `{{ token }}`, `****`. */
export function isTemplate(value: string): boolean {
  return /^(?:\$|<|\{|%[({]|\[|\*+$|\.+$|x+$)/i.test(value);
}
