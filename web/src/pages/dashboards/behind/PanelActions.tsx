import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download, Link2 } from "lucide-react";
import { identityQuery } from "../../../api/auth.ts";
import { fetchBehindCsv } from "../../../api/widgets.ts";
import { copyText } from "../../../core/clipboard.ts";
import { saveCsv } from "../../../core/files.ts";
import { filterToText } from "../../../scope/filters.ts";
import { sayFailure } from "../../../scope/sayFailure.ts";
import { withWorkspace } from "../../../scope/search.ts";
import { buttonClass } from "../../../ui/Button/Button.tsx";
import { IconButton } from "../../../ui/Button/IconButton.tsx";
import { toast } from "../../../ui/Toast/toast.ts";
import { titleOf } from "../../../widgets/registry.ts";
import { pointAlertSearchOf } from "../alertPlace.ts";
import styles from "./PanelActions.module.css";
import { eventsSearchOf } from "./eventsSearch.ts";
import { leftOutInWords } from "./leftOutWords.ts";
import { filtersOfEvents } from "./selection.ts";
import type { PointRequest, Point } from "./usePoint.ts";

export interface PanelActionsProps {
  request: PointRequest;
  point: Point;
  mayWrite: boolean;
}

/** What can be done with a number: go on with its events, keep them, watch them, take them along. */
export function PanelActions({ request, point, mayWrite }: PanelActionsProps) {
  const { dashboard, widget, spot, dataFields } = request;
  const { selection, events, bucket, labelFilters } = point;
  const segmentFilters = mayWrite && events ? filtersOfEvents(events) : [];
  const alertSearch = mayWrite && labelFilters ? pointAlertSearchOf(dashboard, widget, spot, [...(dataFields.filters ?? []), ...labelFilters]) : null;
  const leftOutText = selection ? leftOutInWords(selection.leftOut, bucket !== undefined, segmentFilters.length > 0) : "";
  return (
    <footer className={styles.foot}>
      {leftOutText ? <p>{leftOutText}</p> : null}
      <div className={styles.actions}>
        {segmentFilters.length > 0 ? (
          <Link to="/segments" search={{ env: dashboard.environment, new: "1", f: segmentFilters.map(filterToText) }} className={buttonClass("primary", true)}>
            <Words verb="Save as" noun="segment" />
          </Link>
        ) : null}
        {alertSearch ? (
          <Link to="/alerts/new" search={alertSearch} className={buttonClass("plain", true)}>
            <Words verb="Create" noun="alert" />
          </Link>
        ) : null}
        {selection ? (
          <Link to="/events" search={eventsSearchOf(dashboard.environment, selection, point.timeRange)} className={buttonClass("plain", true)}>
            <Words verb="Show" noun="events" />
          </Link>
        ) : null}
        <span className={styles.copies}>
          <CsvButton request={request} />
          <LinkButton />
        </span>
      </div>
    </footer>
  );
}

/** The words of an action. On a phone, its noun is enough to see. */
const Words = ({ verb, noun }: { verb: string; noun: string }) => (
  <span>
    <span className={styles.verb}>{verb}</span> <span className={styles.noun}>{noun}</span>
  </span>
);

function CsvButton({ request: { widget, spot, dataFields } }: { request: PointRequest }) {
  const save = useMutation({
    mutationFn: () => fetchBehindCsv(widget.id, { ...dataFields, at: spot }),
    onSuccess: (text) => saveCsv(text, `${titleOf(widget)}.csv`),
    onError: sayFailure,
  });
  return <IconButton small label="Save as CSV" icon={Download} aria-busy={save.isPending || undefined} onClick={() => !save.isPending && save.mutate()} />;
}

function LinkButton() {
  const queryClient = useQueryClient();
  const copy = async () => {
    const identity = queryClient.getQueryData(identityQuery.queryKey);
    const { href } = window.location;
    toast({ text: (await copyText(identity ? withWorkspace(href, identity.workspace.id) : href)) ? "Link copied" : "Copy failed" });
  };
  return <IconButton small label="Copy link" icon={Link2} onClick={() => void copy()} />;
}
