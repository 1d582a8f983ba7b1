import { type FileRow, FileUnreadable, type RefusedRow, membersOf } from "./fileRow.ts";

const MAX_LINE = 8 * 1024 ** 2;
const MAX_QUOTE = 200;

/** Reads NDJSON piece by piece: one JSON object a line; blank lines are none. */
export class Ndjson {
  #line = 0;
  #rest = "";

  /**
   * Return the rows that end within the text read so far.
   *
   * @param isLast whether the file ends here.
   * @throws FileUnreadable when the file is one JSON array.
   */
  read(text: string, isLast: boolean): (FileRow | RefusedRow)[] {
    const lines = (this.#rest + text).split("\n");
    this.#rest = isLast ? "" : (lines.pop() ?? "");
    if (this.#rest.length > MAX_LINE) throw new FileUnreadable(`A line of the file has more than ${MAX_LINE} characters.`);
    return lines.flatMap((line) => {
      this.#line += 1;
      const lineText = line.trim();
      if (this.#line === 1 && lineText.startsWith("[")) {
        throw new FileUnreadable("The file is one JSON array; write one object per line, as `jq -c '.[]'` does.");
      }
      return lineText === "" ? [] : [rowOf(this.#line, lineText)];
    });
  }
}

function rowOf(line: number, text: string): FileRow | RefusedRow {
  if (text.length > MAX_LINE) {
    return { line, reason: `the line has more than ${MAX_LINE} characters`, text: text.slice(0, MAX_QUOTE) };
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
