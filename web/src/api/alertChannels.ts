import { queryOptions } from "@tanstack/react-query";
import { DELETE, GET, PATCH, POST, answer } from "./client.ts";
import { deletion } from "./deletion.ts";
import type { components } from "./schema.gen.ts";

type Schemas = components["schemas"];
/** Where alerts are told; of its destination, only the preview is ever answered. */
export type AlertChannel = Schemas["AlertChannelOut"];
/** A channel at its creation; a webhook has its secret now and never again. */
export type NewAlertChannel = Schemas["NewAlertChannelOut"];
export type AlertChannelFields = Schemas["AlertChannelIn"];
export type ChannelType = AlertChannel["type"];
/** One message to a channel, and what became of it. */
export type Delivery = Schemas["DeliveryOut"];

/** All channels of the workspace, the oldest first. */
export const alertChannelsQuery = queryOptions({
  queryKey: ["/v1/alert-channels"],
  queryFn: async ({ signal }) => (await answer(GET("/v1/alert-channels", { signal }))).alertChannels,
});

/** The newest 100 messages to a channel, the newest first. Developers only. */
export const deliveriesQuery = (channel_id: string) =>
  queryOptions({
    queryKey: ["/v1/alert-channels/{channel_id}/deliveries", channel_id],
    queryFn: async ({ signal }) =>
      (await answer(GET("/v1/alert-channels/{channel_id}/deliveries", { ...pathParams(channel_id), signal }))).deliveries,
  });

const pathParams = (channel_id: string) => ({ params: { path: { channel_id } } });

export const createChannel = (body: AlertChannelFields): Promise<NewAlertChannel> =>
  answer(POST("/v1/alert-channels", { body }));
/** Change a channel; without a destination, it keeps the one it has. */
export const changeChannel = (id: string, body: Schemas["AlertChannelChange"]) =>
  answer(PATCH("/v1/alert-channels/{channel_id}", { ...pathParams(id), body }));
/** Delete a channel; alerts that tell it go on without it. */
export const deleteChannel = (id: string) => deletion(id, DELETE("/v1/alert-channels/{channel_id}", pathParams(id)));
/** Send a test message; the answer says whether it arrived, and if not, why. */
export const testChannel = (id: string) => answer(POST("/v1/alert-channels/{channel_id}/test", pathParams(id)));
/** Replace the secret of a webhook, at once. */
export const replaceSecret = (id: string) => answer(POST("/v1/alert-channels/{channel_id}/secret", pathParams(id)));
/** Deliver a message once more, at once; one that was sent only with `mayResend`. */
export const retryDelivery = (channel_id: string, delivery_id: string, mayResend: boolean) =>
  answer(
    POST("/v1/alert-channels/{channel_id}/deliveries/{delivery_id}/retry", {
      params: { path: { channel_id, delivery_id } },
      body: { again: mayResend },
    }),
  );
