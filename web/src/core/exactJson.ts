/** Stands before a number that JavaScript would round, while it travels through the parser as a text. */
const MARK = "\u0000int:";
const MANY_DIGITS = /\d{16}/;
const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
const MARKED_INTEGER = /^\u0000int:-?\d+$/;

/** Parse JSON without losing digits: whole numbers that JavaScript would round, such as ids, become bigints. */
export function parseExact(text: string): unknown {
  if (!MANY_DIGITS.test(text)) return JSON.parse(text);
  const withMarks = text.replace(TOKEN, (token) => (isRounded(token) ? JSON.stringify(MARK + token) : token));
  return JSON.parse(withMarks, (_, value: unknown) =>
    typeof value === "string" && MARKED_INTEGER.test(value) ? BigInt(value.slice(MARK.length)) : value,
  );
}

/** Write as JSON, indented by two unless told otherwise, what {@link parseExact} returned: every digit as it was sent. */
export function writeExact(value: unknown, indent = 2): string {
  const withMarks = JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? `${MARK}${member}` : member), indent);
  return withMarks.replace(/"\\u0000int:(-?\d+)"/g, "$1");
}

const isRounded = (token: string): boolean => /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token));
