import { type FileRow, FileUnreadable, type RefusedRow, membersOf } from "./fileRow.ts";

const MAX_LINE_LENGTH = 8 * 1024 ** 2;
const MAX_QUOTE_LENGTH = 200;

/** Reads NDJSON piece by piece: one JSON object a line; blank lines are none. */
export class NdjsonReader {
  #lineNumber = 0;
  #unread = "";

  /**
   * Return the rows that end within the text read so far.
   *
   * @param isLast whether the file ends here.
   * @throws FileUnreadable when the file is one JSON array.
   */
  read(text: string, isLast: boolean): (FileRow | RefusedRow)[] {
    const lines = (this.#unread + text).split("\n");
    this.#unread = isLast ? "" : (lines.pop() ?? "");
    if (this.#unread.length > MAX_LINE_LENGTH) throw new FileUnreadable(`A line of the file has more than ${MAX_LINE_LENGTH} characters.`);
    return lines.flatMap((line) => {
      this.#lineNumber += 1;
      const lineText = line.trim();
      if (this.#lineNumber === 1 && lineText.startsWith("[")) {
        throw new FileUnreadable("The file is one JSON array; write one object per line, for example with `jq -c '.[]'`.");
      }
      return lineText === "" ? [] : [rowOf(this.#lineNumber, lineText)];
    });
  }
}

function rowOf(line: number, text: string): FileRow | RefusedRow {
  if (text.length > MAX_LINE_LENGTH) {
    return { line, reason: `the line has more than ${MAX_LINE_LENGTH} characters`, text: text.slice(0, MAX_QUOTE_LENGTH) };
  }
  const members = membersOf(text);
  if (members) {
    return { line, cells: new Map([...members].map(([name, text]) => [name, { text, isJson: true }])), text };
  }
  return { line, reason: refusalOf(text), text };
}

function refusalOf(text: string): string {
  try {
    JSON.parse(text);
    return "the line is not a JSON object";
  } catch {
    return "the line is not JSON";
  }
}
