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
import { pictureOf } from "./fromBots.ts";
import { EMPTY } from "./picture.ts";

const route = getRouteApi("/member/bots/image");

/** A chart as a picture that needs no account: its numbers are in its address. Bots in this page's address are its first series. */
export function BuilderPage() {
  const { ids: idsParam, metric = "monthly_votes", timeFrame = "90d" } = route.useSearch();
  const ids = useMemo(() => idsIn(idsParam), [idsParam]);
  const histories = useQuery(historiesQuery(ids, metric, timeFrame));
  const profiles = useQuery(profilesQuery(ids));
  if (ids.length === 0) return <Builder initial={EMPTY} />;
  if (histories.data && profiles.data) {
    const bots = ids.map((id) => ({ id, name: profiles.data.get(id)?.name ?? id }));
    return <Builder key={`${ids.join()} ${metric} ${timeFrame}`} initial={pictureOf(histories.data, bots, metric)} />;
  }
  const error = histories.error ?? profiles.error;
  const retry = () => void Promise.all([histories.refetch(), profiles.refetch()]);
  return (
    <Page title="Image builder">{error ? <ErrorState {...errorInWords(error)} onRetry={retry} /> : <Skeleton height={520} />}</Page>
  );
}
