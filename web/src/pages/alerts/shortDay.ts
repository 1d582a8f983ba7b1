import { shortDate } from "../../core/time.ts";

/** Name a day such as "2026-11-20" without its year: "20 Nov". */
export const shortDay = (day: string): string => shortDate(`${day}T00:00:00Z`, "UTC");
