import { type FileRow, FileUnreadable, type RefusedRow, membersOf } from "./row.ts";

const MAX_LINE = 8 * 1024 ** 2;
const SHOWN = 200;

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
      const shown = line.trim();
      if (this.#line === 1 && shown.startsWith("[")) {
        throw new FileUnreadable("The file is one JSON array; write one object per line, as `jq -c '.[]'` does.");
      }
      return shown === "" ? [] : [rowOf(this.#line, shown)];
    });
  }
}

function rowOf(line: number, shown: string): FileRow | RefusedRow {
  if (shown.length > MAX_LINE) {
    return { line, reason: `the line has more than ${MAX_LINE} characters`, shown: shown.slice(0, SHOWN) };
  }
  const members = membersOf(shown);
  if (members) {
    return { line, cells: new Map([...members].map(([name, text]) => [name, { text, isJson: true }])), shown };
  }
  return { line, reason: whyNot(shown), shown };
}

function whyNot(text: string): string {
  try {
    JSON.parse(text);
    return "the line is not a JSON object";
  } catch {
    return "the line is not JSON";
  }
}
