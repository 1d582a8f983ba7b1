import { ApiError } from "../../api/errors.ts";

/** Return whether the answer does not have the number, such as one from an old link. */
export const isGone = (error: unknown): boolean => error instanceof ApiError && error.details.some(({ path }) => path[0] === "at");
