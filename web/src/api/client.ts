import type { Client } from "openapi-fetch";
import { noteAnswer, noteFailure } from "./connection.ts";
import { ApiError, errorOf } from "./errors.ts";
import type { paths } from "./schema.gen.ts";

/** A request on its way: its data if it succeeded, else what was refused. */
type Exchange<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

/** What the types of openapi-fetch let a caller say, and the app does. */
interface RequestOptions extends Pick<RequestInit, "signal"> {
  params?: { path?: Record<string, string>; query?: Record<string, unknown> };
  body?: unknown;
  bodySerializer?: (body: unknown) => string;
  headers?: Record<string, string>;
  parseAs?: "json" | "text" | "stream";
}

/** The address that the page came from; tests run without a page. */
const originOf = ({ location }: { location?: Location }): string => location?.origin ?? "http://localhost";

async function fetchFromServer(address: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(new Request(address, init));
    noteAnswer();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    noteFailure(async () => (await fetch("/healthz", { cache: "no-store" })).text());
    throw new ApiError(0, { error: "offline", message: "Can't reach the server." });
  }
}

/** Return the address of a path, with what stands in its braces and behind its question mark. */
function addressOf(path: string, { path: valueByName = {}, query = {} }: NonNullable<RequestOptions["params"]> = {}): string {
  const pathname = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(valueByName[name] ?? ""));
  const pairs = Object.entries(query).flatMap(([name, value]) => (Array.isArray(value) ? value : [value]).map((element: unknown) => [name, element] as const));
  const presentPairs = pairs.filter(([, value]) => value !== undefined && value !== null);
  const search = presentPairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&");
  return originOf(globalThis) + pathname + (search && `?${search}`);
}

/** Return a request's answer; what is no JSON is told as text. */
async function contentOf(response: Response, parseAs: RequestOptions["parseAs"]): Promise<unknown> {
  if (response.ok && parseAs === "stream") return response.body;
  const text = await response.text();
  if (response.ok && parseAs === "text") return text;
  try {
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  } catch (error) {
    if (response.ok) throw error;
    return text;
  }
}

const requestFunction =
  (method: string) =>
  async (path: string, options: RequestOptions = {}): Exchange<unknown> => {
    const { params, body, bodySerializer = JSON.stringify, headers, parseAs, signal } = options;
    const init: RequestInit = { method, signal: signal ?? null, headers: { ...(body === undefined ? {} : { "Content-Type": "application/json" }), ...headers } };
    const response = await fetchFromServer(addressOf(path, params), body === undefined ? init : { ...init, body: bodySerializer(body) });
    const content = await contentOf(response, parseAs);
    return response.ok ? { data: content, response } : { error: content, response };
  };

/** The API's verbs; each call names a path of the OpenAPI document and is checked against it by the types of openapi-fetch. */
export const { GET, POST, PUT, PATCH, DELETE } = {
  GET: requestFunction("GET"),
  POST: requestFunction("POST"),
  PUT: requestFunction("PUT"),
  PATCH: requestFunction("PATCH"),
  DELETE: requestFunction("DELETE"),
} as unknown as Client<paths>;

/**
 * Wait for an answer.
 *
 * @throws ApiError when the request is refused or cannot be made.
 */
export async function answer<Data>(exchange: Exchange<Data>): Promise<Data> {
  const { data, error, response } = await exchange;
  if (!response.ok) throw errorOf(response, error);
  return data as Data;
}
