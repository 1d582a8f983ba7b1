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
  #rest = "";
  #data: string[] = [];
  #id = "";

  /** Take a piece of text and return the messages that it completes. */
  read(piece: string): Message[] {
    const lines = (this.#rest + piece).split("\n");
    this.#rest = lines.pop() ?? "";
    return lines.map((line) => this.#line(line.endsWith("\r") ? line.slice(0, -1) : line)).filter((message) => message !== null);
  }

  #line(line: string): Message | null {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "data") this.#data.push(value);
    if (field === "id" && !value.includes("\0")) this.#id = value;
    return null;
  }

  #end(): Message | null {
    this.lastId = this.#id;
    const data = this.#data;
    this.#data = [];
    return data.length > 0 ? { id: this.#id, data: data.join("\n") } : null;
  }
}
