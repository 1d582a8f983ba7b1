import { POST } from "./client.ts";
import { type ApiError, errorOf } from "./errors.ts";

/** What became of a request with events. */
export interface SendResult {
  status: number;
  /** Whether an earlier request with this idempotency key had made them count. */
  isReplay: boolean;
  /** Why they were refused; null when they count. */
  error: ApiError | null;
}

export interface SendOptions {
  /** The secret of an API key. */
  secret: string;
  idempotencyKey: string;
  /** The idempotency key of the request that must arrive before this one. */
  previousKey?: string;
  signal?: AbortSignal;
}

/**
 * Send a body with events as it is written.
 *
 * @throws ApiError with status 0 when the server cannot be reached.
 */
export async function sendEvents(body: string, { secret, idempotencyKey, previousKey, signal }: SendOptions): Promise<SendResult> {
  const headers = {
    Authorization: `Bearer ${secret}`,
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
    ...(previousKey === undefined ? {} : { "Idempotency-After": previousKey }),
  };
  const exchange = POST("/v1/events", {
    // The text is JSON already, with every digit of the file.
    body: body as never,
    bodySerializer: (text: unknown) => text as string,
    headers,
    ...(signal ? { signal } : {}),
  });
  const { error, response } = (await exchange) as { error?: unknown; response: Response };
  const isReplay = response.headers.get("Idempotent-Replayed") === "true";
  return { status: response.status, isReplay, error: response.ok ? null : errorOf(response, error) };
}
