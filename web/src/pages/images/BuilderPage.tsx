import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { historiesQuery, profilesQuery } from "../../api/bots.ts";
import { errorInWords } from "../../api/words.ts";
import { idsIn } from "../../core/bots.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { Builder } from "./Builder.tsx";
import { EXAMPLE_PICTURE } from "./example.ts";
import { pictureOf } from "./fromBots.ts";

const route = getRouteApi("/member/bots/image");

/** A chart as a picture that needs no account: its numbers are in its address. Bots in this page's address are its first series; without them, it shows an example. */
export function BuilderPage() {
  const { ids: idsParam, metric = "monthly_votes", timeFrame = "90d" } = route.useSearch();
  const botIds = useMemo(() => idsIn(idsParam), [idsParam]);
  const historiesResult = useQuery(historiesQuery(botIds, metric, timeFrame));
  const profilesResult = useQuery(profilesQuery(botIds));
  if (botIds.length === 0) return <Builder subject="image" initialPicture={EXAMPLE_PICTURE} />;
  if (historiesResult.data && profilesResult.data) {
    const bots = botIds.map((id) => ({ id, name: profilesResult.data.get(id)?.name ?? id }));
    const subject = `image ${botIds.join()} ${metric} ${timeFrame}`;
    return <Builder key={subject} subject={subject} initialPicture={pictureOf(historiesResult.data, bots, metric)} />;
  }
  const error = historiesResult.error ?? profilesResult.error;
  const retry = () => void Promise.all([historiesResult.refetch(), profilesResult.refetch()]);
  return (
    <Page title="Image builder">{error ? <ErrorState {...errorInWords(error)} onRetry={retry} /> : <Skeleton height={520} />}</Page>
  );
}
