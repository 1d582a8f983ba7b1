import { Download } from "lucide-react";
import { saveFile } from "../../core/files.ts";
import { countInWords, formatExact, formatPercent } from "../../core/numbers.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Facts } from "../../ui/Facts/Facts.tsx";
import { useNow } from "../../ui/useNow.ts";
import { Bar } from "./Bar.tsx";
import styles from "./Progress.module.css";
import type { RefusedRow } from "./fileRow.ts";
import { MAX_SAVED_REFUSALS } from "./importRun.ts";
import { type ImportState, isFruitless } from "./useImport.ts";
import { refusedFile, remarksOf, summaryOf } from "./words.ts";

/** Refused rows that the page lists; the file has all of them. */
const MAX_LISTED_ROWS = 100;

export interface ProgressProps {
  state: ImportState;
  fileName: string;
  /** In bytes. */
  fileBytes: number;
  /** Of times without an offset, and of the workspace. */
  rowTimezone: string;
  timezone: string;
}

const PHASE_LABELS = { idle: "", running: "running", done: "done", stopped: "stopped" };

/** How far an import is, and at its end what became of every row. */
export function Progress({ state, fileName, fileBytes, rowTimezone, timezone }: ProgressProps) {
  const { phase, totals, wait, error, unrevokedKeyName } = state;
  const hasNoResult = isFruitless(state);
  const share = fileBytes === 0 || phase === "done" ? 1 : totals.bytes / fileBytes;
  return (
    <section className={styles.card} aria-label={`Import of ${fileName}`}>
      <p className={styles.head}>
        <span className={styles.file}>{fileName}</span>
        <Badge tone={hasNoResult || phase === "stopped" ? "error" : phase === "done" ? "ok" : "plain"}>
          {hasNoResult ? "nothing imported" : PHASE_LABELS[phase]}
        </Badge>
        <span className={styles.share}>{formatPercent(share)}</span>
      </p>
      <Bar label="Imported" share={share} />
      <Facts
        facts={[
          { label: "Rows", value: formatExact(totals.acceptedCount + totals.replayedCount + totals.refusedCount) },
          { label: "Accepted", value: formatExact(totals.acceptedCount) },
          { label: "Already counted", value: formatExact(totals.replayedCount) },
          { label: "Refused", value: formatExact(totals.refusedCount) },
        ]}
      />
      {wait ? <WaitNotice reason={wait.reason} untilMs={wait.untilMs} /> : null}
      {phase === "running" ? null : (
        <div className={styles.end}>
          <p className={hasNoResult ? styles.error : styles.summary}>{summaryOf(totals)}</p>
          {error ? (
            <p className={styles.error}>
              The import didn't finish{totals.lastLine > 0 ? `; every row up to line ${formatExact(totals.lastLine)} was processed` : ""}. {error}
            </p>
          ) : null}
          {error ? <p>Import the same file with the same mapping within 24 hours. No row is counted twice.</p> : null}
          {remarksOf(totals, rowTimezone, timezone).map((remark) => (
            <p key={remark}>{remark}</p>
          ))}
          {unrevokedKeyName ? (
            <p className={styles.error}>Its key “{unrevokedKeyName}” couldn't be revoked. Revoke it under API keys.</p>
          ) : null}
        </div>
      )}
      {totals.refusedCount > 0 ? <RefusedRows rows={totals.savedRefusals} refusedCount={totals.refusedCount} fileName={fileName} /> : null}
    </section>
  );
}

function WaitNotice({ reason, untilMs }: { reason: string; untilMs: number }) {
  const seconds = Math.max(0, Math.ceil((untilMs - useNow(500)) / 1000));
  return (
    <p className={styles.waiting}>
      {reason} Retrying{seconds > 0 ? ` in ${seconds} s` : ""}.
    </p>
  );
}

function RefusedRows({ rows, refusedCount, fileName }: { rows: readonly RefusedRow[]; refusedCount: number; fileName: string }) {
  const save = () => saveFile(refusedFile(rows), "application/x-ndjson", `${fileName}.refused.ndjson`);
  const hiddenCount = refusedCount - Math.min(rows.length, MAX_LISTED_ROWS);
  return (
    <section className={styles.refused} aria-label="Refused rows">
      <p className={styles.head}>
        <span className={styles.file}>{countInWords(refusedCount, "refused row")}</span>
        <Button small icon={Download} onClick={save}>
          Save {refusedCount > MAX_SAVED_REFUSALS ? `the first ${formatExact(MAX_SAVED_REFUSALS)}` : "all"}
        </Button>
      </p>
      <ol className={styles.list}>
        {rows.slice(0, MAX_LISTED_ROWS).map(({ line, reason }) => (
          <li key={line}>
            <span className={styles.line}>line {formatExact(line)}</span> {reason}
          </li>
        ))}
      </ol>
      {hiddenCount > 0 ? <p className={styles.line}>and {countInWords(hiddenCount, "more refused row")}</p> : null}
    </section>
  );
}
