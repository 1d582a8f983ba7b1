export interface Piece {
  text: string;
  /** Whether it is a text in quotation marks. */
  isQuoted: boolean;
}

const STRING_LITERAL = /("(?:[^"\\\n]|\\.)*"|'[^']*')/;

/** Split code into its texts in quotation marks and what stands between them. */
export function splitCode(code: string): Piece[] {
  return code
    .split(STRING_LITERAL)
    .map((text, index) => ({ text, isQuoted: index % 2 === 1 }))
    .filter(({ text }) => text !== "");
}
