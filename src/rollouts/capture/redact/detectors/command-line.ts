import { classifyFieldName, isMixedWord, isSecretValue } from "../field-names.js";
import { type Detector, findMatches, isTemplate, type Span } from "./detector.js";

/** An option and its value, separated by a space. */
const OPTION =
  /(?<![\w-])--(?<name>[A-Za-z][A-Za-z0-9_-]{2,40})[ \t]{1,4}["']?(?<secret>[^\s"'`\\;|<>(){}-][^\s"'`\\;|<>(){}]{5,511})/dg;
/** Minimum length of the value of an option such as `--token`: shorter values may be names. */
const MIN_TOKEN = 20;

const VALUE = String.raw`(?<secret>[^\s"'\x60\\]{1,256})`;
/** The options of programs that take a password, by the program's name. */
const PASSWORD_OPTIONS: readonly (readonly [programs: string, option: RegExp])[] = [
  ["curl", user("-u|--user|-U|--proxy-user")],
  ["http|https|xh", user("-a|--auth")],
  // Only the attached form: `mysql -p name` asks for the password, and opens the database.
  ["mysql|mysqldump|mysqladmin|mariadb|mariadb-dump", option(String.raw`-p(?=\S{4})`)],
  ["sshpass", option(String.raw`-p[ \t]{0,4}`)],
  ["redis-cli", option(String.raw`(?:-a|--pass)[ \t]{1,4}`)],
  [
    "docker|podman|helm|nerdctl|buildah|skopeo",
    option(String.raw`login\b[^\n]{0,200}?[ \t]-p[ \t]{1,4}`),
  ],
  ["7z|7za|unrar|rar", option(String.raw`-p(?=\S{4})`)],
  ["zip|unzip", option(String.raw`-P[ \t]{1,4}`)],
  ["ldapsearch|ldapmodify|ldapadd|ldapdelete", option(String.raw`-w[ \t]{1,4}`)],
  ["mongo|mongosh|mongodump|mongorestore", option(String.raw`-p[ \t]{1,4}`)],
  ["sqlcmd|bcp", option(String.raw`-P[ \t]{0,4}`)],
  ["openssl", option("pass:")],
];

/** Whether a command names one of the programs, even after an escaped line break. */
const PROGRAMS = PASSWORD_OPTIONS.map(
  ([programs, pattern]) =>
    [new RegExp(String.raw`(?:^|[^\w.-]|\\[bfnrt])(?:${programs})(?=[ \t\\])`), pattern] as const,
);
const ANY_PROGRAM = new RegExp(PASSWORD_OPTIONS.map(([programs]) => programs).join("|"));

function user(names: string): RegExp {
  return new RegExp(
    String.raw`(?<![\w-])(?:${names})(?:[ \t]{0,4}|=)["']?[^\s:"'\x60\\]{1,128}:${VALUE}`,
    "dg",
  );
}

function option(name: string): RegExp {
  return new RegExp(String.raw`(?<![\w-])${name}["']?${VALUE}`, "dg");
}

/** Maximum distance between a program and its option, in characters. */
const REACH = 400;

export const commandLine: Detector = {
  id: "secret",
  purpose: "the secrets of a command line, as in `curl -u user:password` and `--token ...`",
  certain: false,
  mayFind: (text) => /(?<![\w-])-[A-Za-z-]|pass:/.test(text),
  find(text) {
    const programs = !ANY_PROGRAM.test(text)
      ? []
      : PROGRAMS.flatMap(([program, pattern]) =>
          program.test(text)
            ? findMatches(text, { pattern }).filter((span) => isOf(program, text, span))
            : [],
        );
    const all = [...findOptions(text), ...programs].filter(
      ({ start, end }) => !isTemplate(text.slice(start, end)),
    );
    return withoutOverlaps(all.toSorted((a, b) => a.start - b.start));
  },
};

function findOptions(text: string): Span[] {
  return [...text.matchAll(OPTION)].flatMap((match) => {
    const { name = "", secret = "" } = match.groups ?? {};
    const [start, end] = match.indices?.groups?.secret ?? [0, 0];
    const naming = classifyFieldName(name);
    const isLong = naming === "phrase" || secret.length >= MIN_TOKEN;
    const isSecret =
      naming !== undefined && isMixedWord(secret) && isLong && isSecretValue(secret, naming);
    return isSecret ? [{ start, end }] : [];
  });
}

const SEPARATORS = [" && ", " || ", " | ", "; "] as const;

/** Tells whether the command with this option is of the program. Other programs use the same letters. */
function isOf(program: RegExp, text: string, { start }: Span): boolean {
  const before = text.slice(Math.max(0, start - REACH), start);
  const ends = SEPARATORS.map((separator) => before.lastIndexOf(separator));
  return program.test(before.slice(Math.max(...ends, endOfLine(before)) + 1));
}

/** Where the last line begins, less one. A line break after a backslash does not end a command. */
function endOfLine(text: string): number {
  let end = text.lastIndexOf("\n");
  while (end > 0 && /\\\r?$/.test(text.slice(Math.max(0, end - 2), end))) {
    end = text.lastIndexOf("\n", end - 1);
  }
  return end;
}

function withoutOverlaps(spans: readonly Span[]): Span[] {
  return spans.filter(({ start }, index) => start >= (spans[index - 1]?.end ?? 0));
}
