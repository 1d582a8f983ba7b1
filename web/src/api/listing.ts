import { queryOptions } from "@tanstack/react-query";
import { GET, PATCH, POST, answer } from "./client.ts";

/** Whether anybody may see pictures of the workspace's bots, and under which slug. */
export const listingQuery = queryOptions({
  queryKey: ["/v1/listing"],
  queryFn: ({ signal }) => answer(GET("/v1/listing", { signal })),
  staleTime: 60_000,
});

/** Publish the listing, or take it back. Developers only. */
export const publishListing = (isPublic: boolean) => answer(PATCH("/v1/listing", { body: { isPublic } }));
/** Give the listing another slug: pictures with the one before are gone. Developers only. */
export const renewListing = () => answer(POST("/v1/listing/slug"));
