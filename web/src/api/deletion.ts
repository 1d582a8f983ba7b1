import { forgetDraftsOf } from "../core/drafts.ts";
import { answer } from "./client.ts";

/** Wait until something is deleted. The drafts of it end, too: no editor leads to them any more. */
export async function deletion<Data>(id: string, exchange: Parameters<typeof answer<Data>>[0]): Promise<Data> {
  const data = await answer(exchange);
  forgetDraftsOf(id);
  return data;
}
