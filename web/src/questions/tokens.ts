/** A part of a line, from `start` to before `end` in UTF-16 units. */
export interface Token {
  /** A word may be a name or a word of the language; a name in quotes is always a name. */
  form: "word" | "name" | "sign";
  /** As the line means it: a name without its quotes. */
  text: string;
  start: number;
  end: number;
}

/** In this order: a name in quotes, which may still be without its end, a sign, a word. */
const TOKEN = /(?<name>"(?:[^"\\]|\\.)*"?)|(?<sign>[<>]=?|!=|[=≥≤(),]|:(?=\s|$))|(?:(?!:(?:\s|$))[^\s",()<>=≥≤])+/gu;

/** Return the words, names and signs of a line. */
export function tokensOf(line: string): Token[] {
  return [...line.matchAll(TOKEN)].map(({ 0: raw, index: start, groups }) => {
    const place = { start, end: start + raw.length };
    if (groups?.name !== undefined) return { form: "name", text: unquoted(raw), ...place };
    return { form: groups?.sign === undefined ? "word" : "sign", text: raw, ...place };
  });
}

/** Write a name in quotes. */
export const quoted = (name: string): string => JSON.stringify(name);

/** Return whether a line reads a text as one word, wherever it is. */
export function isOneWord(text: string): boolean {
  const [token, ...others] = tokensOf(text);
  return token?.form === "word" && token.text === text && others.length === 0;
}

function unquoted(raw: string): string {
  const whole = raw.length > 1 && raw.endsWith('"') ? raw : `${raw}"`;
  try {
    return JSON.parse(whole) as string;
  } catch {
    return whole.slice(1, -1);
  }
}
