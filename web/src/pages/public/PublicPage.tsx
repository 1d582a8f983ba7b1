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
import { answerNote } from "../../widgets/answerNote.ts";
import { drawableWidget } from "../../widgets/publicWidgets.ts";
import { refreshMsOf } from "../../widgets/refresh.ts";
import { outlineOf } from "../../widgets/registry.ts";
import { PublicHeader, type PublicHeaderProps } from "./PublicHeader.tsx";
import styles from "./PublicPage.module.css";
import { joinWithFullStop, savedTimeRangeInWords } from "./publicWords.ts";

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
  if (error && !data) {
    return (
      <Frame isEmbedded={isEmbedded}>
        <h1>
          <Hidden>{name ?? "Public dashboard"}</Hidden>
        </h1>
        {isNotFound ? (
          <State
            strokes={4}
            title="Nothing here"
            detail="This dashboard is no longer public, or its link was replaced."
          />
        ) : (
          <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
        )}
      </Frame>
    );
  }
  const head = data ? headOf(data.dashboard) : headOfDocument();
  return (
    <Frame isEmbedded={isEmbedded} isWaiting={!data} header={isEmbedded ? null : <PublicHeader {...head} />}>
      {isEmbedded ? (
        <h1>
          <Hidden>{head.name}</Hidden>
        </h1>
      ) : null}
      {data ? <PublicWidgets slug={slug} page={data} /> : <PageSkeleton />}
    </Frame>
  );
}

const headOf = ({ name, icon, description, timeRange }: Published["dashboard"]): PublicHeaderProps => ({
  name,
  icon,
  detailText: joinWithFullStop(description, savedTimeRangeInWords(timeRange)),
});

/** Return the head as far as the document tells it: the server writes the name into its title. */
function headOfDocument(): PublicHeaderProps {
  const description = document.querySelector<HTMLMetaElement>('meta[name="description"]')?.content ?? "";
  return { name: document.title.replace(/ · Tallyroom$/, ""), icon: null, detailText: description };
}

interface FrameProps {
  isEmbedded: boolean;
  /** The line of origin comes with the content, as it stands below it. */
  isWaiting?: boolean;
  header?: ReactNode;
  children: ReactNode;
}

/** Header, content, and one quiet line of origin. */
function Frame({ isEmbedded, isWaiting = false, header, children }: FrameProps) {
  // Inside a frame, the server's own pages do not show.
  const linkProps = isEmbedded ? { target: "_blank", rel: "noopener" } : {};
  return (
    <div className={styles.page} data-embedded={isEmbedded || undefined}>
      {header}
      <main>{children}</main>
      {isWaiting ? null : (
        <footer className={styles.origin}>
          <a href="/" {...linkProps}>
            <Logo size={16} />
            Made with Tallyroom
          </a>
        </footer>
      )}
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
        {widgets.map((widget) => ({ widget, drawable: drawableWidget(widget) })).map(({ widget, drawable }) => (
          <GridCell key={widget.id} layout={widget.layout} outline={outlineOf(drawable)}>
            <WidgetCard
              widget={drawable}
              query={publicWidgetQuery(slug, dashboard, widget)}
              noteOf={answerNote}
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
