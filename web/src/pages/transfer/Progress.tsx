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
const MAX_ROWS = 100;

export interface ProgressProps {
  state: ImportState;
  fileName: string;
  /** In bytes. */
  size: number;
  /** Of times without an offset, and of the workspace. */
  zone: string;
  timezone: string;
}

const PHASES = { idle: "", running: "running", done: "done", stopped: "stopped" };

/** How far an import is, and at its end what became of every row. */
export function Progress({ state, fileName, size, zone, timezone }: ProgressProps) {
  const { phase, totals, waiting, error, leftKey } = state;
  const fruitless = isFruitless(state);
  const share = size === 0 || phase === "done" ? 1 : totals.bytes / size;
  return (
    <section className={styles.card} aria-label={`Import of ${fileName}`}>
      <p className={styles.head}>
        <span className={styles.file}>{fileName}</span>
        <Badge tone={fruitless || phase === "stopped" ? "error" : phase === "done" ? "ok" : "plain"}>
          {fruitless ? "nothing imported" : PHASES[phase]}
        </Badge>
        <span className={styles.share}>{formatPercent(share)}</span>
      </p>
      <Bar label="Imported" share={share} />
      <Facts
        facts={[
          { label: "Rows", value: formatExact(totals.accepted + totals.replayed + totals.refused) },
          { label: "Accepted", value: formatExact(totals.accepted) },
          { label: "Counted before", value: formatExact(totals.replayed) },
          { label: "Refused", value: formatExact(totals.refused) },
        ]}
      />
      {waiting ? <Wait why={waiting.why} untilMs={waiting.until} /> : null}
      {phase === "running" ? null : (
        <div className={styles.end}>
          <p className={fruitless ? styles.error : styles.summary}>{summaryOf(totals)}</p>
          {error ? (
            <p className={styles.error}>
              The import did not finish{totals.lastLine > 0 ? `; every row up to line ${formatExact(totals.lastLine)} is settled` : ""}. {error}
            </p>
          ) : null}
          {error ? <p>Import the same file in the same way within 24 hours, and no row counts twice.</p> : null}
          {remarksOf(totals, zone, timezone).map((remark) => (
            <p key={remark}>{remark}</p>
          ))}
          {leftKey ? <p className={styles.error}>Its key “{leftKey}” could not be revoked. Revoke it under API keys.</p> : null}
        </div>
      )}
      {totals.refused > 0 ? <Refused rows={totals.savedRefusals} all={totals.refused} fileName={fileName} /> : null}
    </section>
  );
}

function Wait({ why, untilMs: until }: { why: string; untilMs: number }) {
  const seconds = Math.max(0, Math.ceil((until - useNow(500)) / 1000));
  return (
    <p className={styles.waiting}>
      {why} It goes on by itself{seconds > 0 ? ` in ${seconds} s` : ""}.
    </p>
  );
}

function Refused({ rows, all, fileName }: { rows: readonly RefusedRow[]; all: number; fileName: string }) {
  const save = () => saveFile(refusedFile(rows), "application/x-ndjson", `${fileName}.refused.ndjson`);
  const more = all - Math.min(rows.length, MAX_ROWS);
  return (
    <section className={styles.refused} aria-label="Refused rows">
      <p className={styles.head}>
        <span className={styles.file}>{countInWords(all, "refused row")}</span>
        <Button small icon={Download} onClick={save}>
          Save {all > MAX_SAVED_REFUSALS ? `the first ${formatExact(MAX_SAVED_REFUSALS)}` : "all"}
        </Button>
      </p>
      <ol className={styles.list}>
        {rows.slice(0, MAX_ROWS).map(({ line, reason }) => (
          <li key={line}>
            <span className={styles.line}>line {formatExact(line)}</span> {reason}
          </li>
        ))}
      </ol>
      {more > 0 ? <p className={styles.line}>and {countInWords(more, "more refused row")}</p> : null}
    </section>
  );
}
