import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { actorsQuery } from "../../api/actors.ts";
import { identityQuery } from "../../api/auth.ts";
import { placeholderFor } from "../../api/placeholders.ts";
import { errorInWords } from "../../api/words.ts";
import { formatExact } from "../../core/numbers.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { SearchField } from "../../scope/SearchField.tsx";
import { TimeRangePicker } from "../../scope/TimeRangePicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ActorTable } from "./ActorTable.tsx";
import styles from "./ListPage.module.css";
import { NoActors } from "./NoActors.tsx";

const route = getRouteApi("/member/actors");

/** Who sent the events, the busiest first. */
export function ListPage() {
  const scope = useScope();
  const { q = "" } = route.useSearch();
  const { data: identity } = useQuery(identityQuery);
  const actorsOptions = actorsQuery(scope.environment, scope.timeRange, q || undefined);
  const actorsResult = useInfiniteQuery({ ...actorsOptions, placeholderData: placeholderFor(actorsOptions.queryKey) });
  const timezone = identity?.workspace.timezone ?? "UTC";
  const actors = actorsResult.data?.pages.flatMap((page) => page.actors);
  return (
    <Page
      title="Actors"
      tools={
        <>
          <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} />
          <TimeRangePicker timeRange={scope.timeRange} onChange={scope.setTimeRange} timezone={timezone} />
        </>
      }
    >
      <div className={styles.bar}>
        <SearchField label="Label or key" q={q} />
      </div>
      {actorsResult.error && !actors ? (
        <ErrorState {...errorInWords(actorsResult.error)} onRetry={() => void actorsResult.refetch()} />
      ) : !actors ? (
        <Skeleton height={320} />
      ) : actors.length === 0 ? (
        <NoActors scope={scope} q={q} timezone={timezone} />
      ) : (
        <div aria-busy={actorsResult.isPlaceholderData || undefined}>
          <Notices notices={actorsResult.data?.pages[0]?.notices} />
          <ActorTable actors={actors} timeRange={scope.timeRange} timezone={timezone} />
          <div className={styles.foot}>
            <span>{formatExact(actors.length)} shown · most events first · first and last seen in this time range</span>
            <CopyCurl request={{ path: "/v1/actors", query: { environment: scope.environment, ...scope.timeRange, q: q || undefined } }} />
            {actorsResult.hasNextPage ? (
              <Button small busy={actorsResult.isFetchingNextPage} onClick={() => void actorsResult.fetchNextPage()}>
                Next 50
              </Button>
            ) : null}
          </div>
        </div>
      )}
    </Page>
  );
}
