import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState } from "react";
import { environmentChoices, environmentsQuery } from "../../api/environments.ts";
import { type ExportQuery, exportAddress } from "../../api/export.ts";
import { questionQuery } from "../../api/widgets.ts";
import { countInWords, formatExact } from "../../core/numbers.ts";
import { RANGE_NAMES, type RangeName, isRangeName, rangeInWords } from "../../core/timeRanges.ts";
import { useScope } from "../../scope/useScope.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { FormError } from "../../ui/Field/FormError.tsx";
import { SelectField } from "../../ui/Field/SelectField.tsx";
import { TextField } from "../../ui/Field/TextField.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Segmented } from "../../ui/Segmented/Segmented.tsx";
import { Bar } from "./Bar.tsx";
import { MAX_EVENTS_IN_MEMORY, sizeInWords } from "./exportFile.ts";
import styles from "./ExportPage.module.css";
import { useExport } from "./useExport.ts";

const memberRoute = getRouteApi("/member");
const CUSTOM_DAYS = "days";
const FORMAT_OPTIONS = [
  { value: "ndjson", label: "NDJSON" },
  { value: "csv", label: "CSV" },
  { value: "parquet", label: "Parquet" },
] as const;
type Format = (typeof FORMAT_OPTIONS)[number]["value"];
const FORMAT_PURPOSES: Record<Format, string> = {
  ndjson: "For scripts, backups and moving to another server.",
  csv: "For spreadsheets and databases.",
  parquet: "For DuckDB, pandas, Polars and ClickHouse. An eighth of the size, with typed columns.",
};

/** Take events out: of an environment and a time range, as one file. */
export function ExportPage() {
  const { identity } = memberRoute.useRouteContext();
  const { data: environments = [] } = useQuery(environmentsQuery);
  const [environment, setEnvironment] = useState(useScope().environment);
  const [timeRange, setTimeRange] = useState<RangeName | typeof CUSTOM_DAYS>("all");
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  const [format, setFormat] = useState<Format>("ndjson");
  const rangeFields = timeRange === CUSTOM_DAYS ? { ...(from ? { from } : {}), ...(to ? { to } : {}) } : timeRange === "all" ? {} : { timeRange };
  const query: ExportQuery = { environment, ...rangeFields, format };
  return (
    <Page title="Export" workspace={identity.workspace.name}>
      <div className={styles.form}>
        <SelectField label="Environment" value={environment} onChange={setEnvironment} options={environmentChoices(environments, environment)} />
        <SelectField
          label="Time range"
          value={timeRange}
          onChange={(value) => setTimeRange(isRangeName(value) ? value : CUSTOM_DAYS)}
          options={[
            ...RANGE_NAMES.toReversed().map((value) => ({ value, label: rangeInWords(value) })),
            { value: CUSTOM_DAYS, label: "Custom days" },
          ]}
        />
        {timeRange === CUSTOM_DAYS ? (
          <div className={styles.days}>
            <TextField label="From" type="date" value={from} onChange={setFrom} max={to} />
            <TextField label="To (exclusive)" type="date" value={to} onChange={setTo} min={from} hint="Days begin at midnight UTC." />
          </div>
        ) : null}
        <div>
          <Segmented label="Format" value={format} onChange={setFormat} options={FORMAT_OPTIONS} />
          <p className={styles.note}>{FORMAT_PURPOSES[format]}</p>
        </div>
        <ExportActions key={JSON.stringify(query)} query={query} format={format} />
        <ApiExample request={{ path: "/v1/export", query, options: "-fsS -OJ --compressed" }} />
      </div>
    </Page>
  );
}

function ExportActions({ query, format }: { query: ExportQuery; format: Format }) {
  const eventCount = useEventCount(query);
  const { phase, progress, error, file, start, stop } = useExport();
  const isLarge = eventCount !== null && eventCount > MAX_EVENTS_IN_MEMORY;
  const share = eventCount === null || eventCount === 0 || format === "parquet" ? null : Math.min(1, progress.lineCount / eventCount);
  return (
    <>
      <p className={styles.count}>{eventCount === null ? "\u00a0" : `${countInWords(eventCount, "event")}, as of now.`}</p>
      {phase === "running" ? (
        <div className={styles.progress}>
          <Bar label="Exported" share={share} />
          <p className={styles.note}>
            {sizeInWords(progress.byteCount)}
            {format === "ndjson" ? `, ${countInWords(progress.lineCount, "event")}` : ""}
          </p>
        </div>
      ) : null}
      <FormError text={error} />
      {file ? (
        <p className={styles.saved}>
          Saved {file.name} ({sizeInWords(file.byteCount)}). {file.remarks.join(" ")}
        </p>
      ) : null}
      <div className={styles.actions}>
        {phase === "running" ? (
          <Button variant="danger" onClick={stop}>Stop</Button>
        ) : isLarge ? null : (
          <Button variant="primary" icon={Download} onClick={() => start(query)}>Export</Button>
        )}
        <a href={exportAddress(query)} download className={buttonClass(isLarge ? "primary" : "quiet")}>
          Download directly
        </a>
      </div>
      <p className={styles.note}>
        {isLarge
          ? `This page can hold up to ${formatExact(MAX_EVENTS_IN_MEMORY)} events. Your browser downloads larger files directly to disk and reports whether they are complete.`
          : `For up to ${formatExact(MAX_EVENTS_IN_MEMORY)} events, this page shows the progress and saves the file once it's complete.`}
      </p>
    </>
  );
}

/** How many events an export will have about; null while nobody knows. */
function useEventCount({ environment, timeRange, from, to }: ExportQuery): number | null {
  const [now] = useState(Date.now);
  const rangeFields: { timeRange?: RangeName; from?: string; to?: string } =
    from || to
      ? { from: dayStart(from) ?? "1970-01-01T00:00:00Z", to: dayStart(to) ?? new Date(now + 86_400_000).toISOString() }
      : { timeRange: timeRange ?? "all" };
  const question = {
    environment: environment ?? "production",
    ...rangeFields,
    type: "metric" as const,
    config: { events: "all" as const, measure: "count" as const },
  };
  const isInOrder = rangeFields.from === undefined || rangeFields.to === undefined || rangeFields.from < rangeFields.to;
  const { data } = useQuery({ ...questionQuery(question), enabled: isInOrder });
  return data?.kind === "counter" ? data.value : null;
}

const dayStart = (day: string | null | undefined): string | undefined => (day ? `${day}T00:00:00Z` : undefined);
