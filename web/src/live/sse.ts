/** One server-sent message. */
export interface Message {
  /** The last id that was sent up to here; "" before the first. */
  id: string;
  data: string;
}

/**
 * Reads server-sent events from text that comes in pieces, as `EventSource` would, but with its position in the open:
 * a stream that was closed on purpose can be continued by a new request.
 */
export class SseReader {
  /** The last id that was sent, with or without data. */
  lastId = "";
  #unfinishedLine = "";
  #dataLines: string[] = [];
  #pendingId = "";

  /** Take a piece of text and return the messages that it completes. */
  read(chunk: string): Message[] {
    const lines = (this.#unfinishedLine + chunk).split("\n");
    this.#unfinishedLine = lines.pop() ?? "";
    return lines.map((line) => this.#readLine(line.endsWith("\r") ? line.slice(0, -1) : line)).filter((message) => message !== null);
  }

  #readLine(line: string): Message | null {
    if (line === "") return this.#endMessage();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#dataLines.push(value);
    if (field === "id" && !value.includes("\0")) this.#pendingId = value;
    return null;
  }

  #endMessage(): Message | null {
    this.lastId = this.#pendingId;
    const data = this.#dataLines;
    this.#dataLines = [];
    return data.length > 0 ? { id: this.#pendingId, data: data.join("\n") } : null;
  }
}
