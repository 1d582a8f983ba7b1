/** A request as an example shows it. */
export interface CurlRequest {
  method?: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below the server's address, as in `/v1/keys`. */
  path: string;
  /** Parameters; lists are written as JSON, and what is undefined is left out. */
  query?: object;
  body?: unknown;
  /** Which of the two credentials it takes; a personal access token or a session unless given. */
  by?: "token" | "key";
  /** Options of curl, before the address. */
  options?: string;
}

/** Return a command that makes a request. The address and the credential come from the environment, as in the README. */
export function curlOf({ method = "GET", path, query = {}, body, by = "token", options }: CurlRequest): string {
  const methodOption = method === (body === undefined ? "GET" : "POST") ? "" : `-X ${method} `;
  const lines = [
    `curl ${options === undefined ? "" : `${options} `}${methodOption}"$TALLYROOM_URL${path}${queryOf(query)}"`,
    `-H "Authorization: Bearer $TALLYROOM_${by === "key" ? "KEY" : "TOKEN"}"`,
  ];
  if (body !== undefined) {
    lines.push(`-H "Content-Type: application/json"`, `-d ${quoteForShell(JSON.stringify(body))}`);
  }
  return lines.join(" \\\n  ");
}

function queryOf(query: object): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeParameter(name)}=${encodeParameter(parameterText(value))}`);
  return pairs.length > 0 ? `?${pairs.join("&")}` : "";
}

const parameterText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Escape for an address between double quotes, where a shell would read `!` as well. */
function encodeParameter(text: string): string {
  return encodeURIComponent(text)
    .replaceAll("!", "%21")
    .replace(/%(3A|2C)/g, (code) => decodeURIComponent(code));
}

const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
