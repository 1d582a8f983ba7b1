import createClient from "openapi-fetch";
import { ApiError, errorOf } from "./errors.ts";
import type { paths } from "./schema.gen.ts";

/** A request on its way: what openapi-fetch answers. */
type Exchange<Data> = Promise<{ data?: Data; error?: unknown; response: Response }>;

const client = createClient<paths>({ baseUrl: originOf(globalThis), fetch: reach });

/** The address that the page came from; tests run without a page. */
function originOf({ location }: { location?: Location }): string {
  return location?.origin ?? "http://localhost";
}

async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(0, { error: "offline", message: "The server cannot be reached." });
  }
}

/** The API's verbs; each call names a path of the OpenAPI document and is checked against it. */
export const { GET, POST, PUT, PATCH, DELETE } = client;

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
