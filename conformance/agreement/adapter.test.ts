import { expect, test } from "vitest";
import { parseAdapterCommand } from "./adapter.js";

test.each([
  ["python3 adapter.py", ["python3", "adapter.py"]],
  ["  python3   adapter.py\t--strict ", ["python3", "adapter.py", "--strict"]],
  ['"/opt/my tools/adapter" --say "it\'s"', ["/opt/my tools/adapter", "--say", "it's"]],
  ["ruby -e 'puts \"a b\"'", ["ruby", "-e", 'puts "a b"']],
  ["node a' 'b\"c d\"e ''", ["node", "a bc de", ""]],
  ["node C:\\adapter.js $HOME *.js", ["node", "C:\\adapter.js", "$HOME", "*.js"]],
])("%s", (text, [command, ...args]) => {
  expect(parseAdapterCommand(text)).toMatchObject({ id: text.trim(), command, args });
});

test.each([
  ["", "--adapter: the command is empty"],
  ["  ", "--adapter: the command is empty"],
  ["python3 'adapter.py", "--adapter: a quote is not closed in python3 'adapter.py"],
  ['python3 a"b c', '--adapter: a quote is not closed in python3 a"b c'],
])("%j is a mistake", (text, message) => {
  expect(() => parseAdapterCommand(text)).toThrow(message);
});
