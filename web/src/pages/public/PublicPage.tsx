import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { ApiError } from "../../api/errors.ts";
import { type PublicPage as Published, publicPageQuery, publicWidgetQuery } from "../../api/public.ts";
import { errorInWords } from "../../api/words.ts";
import { isRangeName } from "../../core/timeRanges.ts";
import { Hidden } from "../../ui/Hidden/Hidden.tsx";
import { Logo } from "../../ui/Logo/Logo.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { DashboardContext } from "../../widgets/DashboardContext.ts";
import { Grid, GridCell } from "../../widgets/Grid.tsx";
import { WidgetCard } from "../../widgets/WidgetCard.tsx";
import { drawableWidget, noteOf } from "../../widgets/publicWidgets.ts";
import { refreshMsOf } from "../../widgets/refresh.ts";
import { PublicHeader } from "./PublicHeader.tsx";
import styles from "./PublicPage.module.css";

export interface PublicPageProps {
  slug: string;
  /** It stands in a page of others, which has a header of its own. */
  isEmbedded: boolean;
}

/** A published dashboard for whoever has its address: to look at, over the saved time range. */
export function PublicPage({ slug, isEmbedded }: PublicPageProps) {
  const { data, error, refetch } = useQuery(publicPageQuery(slug));
  const isNotFound = error instanceof ApiError && error.status === 404;
  const name = isNotFound ? "Nothing here" : (data?.dashboard.name ?? null);
  useEffect(() => {
    if (name !== null) document.title = `${name} · Tallyroom`;
  }, [name]);
  if (isNotFound) {
    return (
      <Frame isEmbedded={isEmbedded}>
        <h1>
          <Hidden>Nothing here</Hidden>
        </h1>
        <State
          strokes={4}
          title="Nothing here"
          detail="This dashboard is no longer public, or its link was replaced."
        />
      </Frame>
    );
  }
  if (!data) {
    return (
      <Frame isEmbedded={isEmbedded}>
        <h1>
          <Hidden>Public dashboard</Hidden>
        </h1>
        {error ? <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} /> : <PageSkeleton />}
      </Frame>
    );
  }
  return (
    <Frame isEmbedded={isEmbedded} header={isEmbedded ? null : <PublicHeader dashboard={data.dashboard} />}>
      {isEmbedded ? (
        <h1>
          <Hidden>{data.dashboard.name}</Hidden>
        </h1>
      ) : null}
      <PublicWidgets slug={slug} page={data} />
    </Frame>
  );
}

/** Header, content, and one quiet line of origin. */
function Frame({ isEmbedded, header, children }: { isEmbedded: boolean; header?: ReactNode; children: ReactNode }) {
  // Inside a frame, the server's own pages do not show.
  const linkProps = isEmbedded ? { target: "_blank", rel: "noopener" } : {};
  return (
    <div className={styles.page} data-embedded={isEmbedded || undefined}>
      {header}
      <main>{children}</main>
      <footer className={styles.origin}>
        <a href="/" {...linkProps}>
          <Logo size={16} />
          Made with Tallyroom
        </a>
      </footer>
    </div>
  );
}

function PublicWidgets({ slug, page: { dashboard, widgets } }: { slug: string; page: Published }) {
  const { timeRange, timezone } = dashboard;
  const refreshProps = isRangeName(timeRange) ? { refreshMs: refreshMsOf({ timeRange }) } : {};
  if (widgets.length === 0) return <State title="This dashboard is empty" detail="It has no widgets yet." />;
  return (
    <DashboardContext value={{ timezone, annotations: [] }}>
      <Grid>
        {widgets.map((widget) => (
          <GridCell key={widget.id} layout={widget.layout}>
            <WidgetCard
              widget={drawableWidget(widget)}
              query={publicWidgetQuery(slug, dashboard, widget)}
              noteOf={noteOf}
              {...refreshProps}
            />
          </GridCell>
        ))}
      </Grid>
    </DashboardContext>
  );
}

/** The shape of a page that is on its way. */
function PageSkeleton() {
  return (
    <div className={styles.waiting} aria-busy="true">
      <Skeleton height={142} />
      <Skeleton height={296} />
      <Skeleton height={296} />
    </div>
  );
}
