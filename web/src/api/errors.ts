import type { components } from "./schema.gen.ts";

type ErrorBody = components["schemas"]["ErrorBody"];

/** Each refusal by its slug, and two that the server cannot say: no connection, and an answer that is no JSON. */
export type ErrorSlug =
  | "validation_failed" | "unauthorized" | "plan_limit" | "paid_feature" | "forbidden" | "not_found" | "method_not_allowed"
  | "conflict" | "payload_too_large" | "unsupported_media_type" | "rate_limited" | "internal" | "unavailable"
  | "offline" | "unreadable";

/** A request that was refused or could not be made. */
export class ApiError extends Error {
  readonly status: number;
  readonly slug: ErrorSlug;
  readonly requestId: string | null;
  readonly details: ErrorBody["details"];
  /** Seconds until a retry makes sense; null if the server did not say. */
  readonly retryAfterSeconds: number | null;

  constructor(status: number, body: Partial<ErrorBody> & { message: string }, retryAfterSeconds: number | null = null) {
    super(body.message);
    this.name = "ApiError";
    this.status = status;
    this.slug = (body.error ?? "unreadable") as ErrorSlug;
    this.requestId = body.requestId ?? null;
    this.details = body.details ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }

  /** The sentence about one field, by its path: "name", "config.measure". */
  messageAbout(field: string): string | null {
    return this.details.find((detail) => detail.path.join(".") === field)?.message ?? null;
  }
}

/** Return the error of an answer that is not a success. */
export function errorOf(response: Response, body: unknown): ApiError {
  const headerSeconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const retryAfterSeconds = Number.isFinite(headerSeconds) ? headerSeconds : null;
  const errorBody = typeof body === "object" && body !== null && "message" in body ? (body as ErrorBody) : null;
  const message = errorBody?.message ?? `The server answered ${response.status}.`;
  return new ApiError(response.status, { ...errorBody, message }, retryAfterSeconds);
}
