import { useInfiniteQuery, useMutation, useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type AuditEntry, auditQuery, fetchAudit } from "../../api/audit.ts";
import { membersQuery } from "../../api/members.ts";
import { errorInWords } from "../../api/words.ts";
import { saveCsv } from "../../core/files.ts";
import { formatExact } from "../../core/numbers.ts";
import { formatBriefly, dateTime } from "../../core/time.ts";
import { sayFailure } from "../../scope/sayFailure.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { csvOf } from "../../widgets/csv.ts";
import styles from "./AuditSection.module.css";
import { actionOf } from "./actions.ts";
import { Section } from "./Section.tsx";
import { useIdentity } from "./useIdentity.ts";

/** Who did what in the workspace, newest first. */
export function AuditSection() {
  const { workspace } = useIdentity();
  const auditResult = useInfiniteQuery(auditQuery);
  const entries = auditResult.data?.pages.flatMap((page) => page.entries);
  const exportCsv = useMutation({
    mutationFn: fetchAudit,
    onSuccess: (allEntries) => saveCsv(auditCsv(allEntries), "audit.csv"),
    onError: sayFailure,
  });
  return (
    <Section
      id="audit"
      title="Audit"
      tools={
        <>
          <CopyCurl request={{ path: "/v1/audit", query: { limit: 200 } }} />
          <Button small icon={Download} busy={exportCsv.isPending} onClick={() => exportCsv.mutate()}>
            Export
          </Button>
        </>
      }
    >
      {auditResult.error && !entries ? (
        <ErrorState {...errorInWords(auditResult.error)} onRetry={() => void auditResult.refetch()} />
      ) : entries ? (
        <>
          <AuditTable entries={entries} timezone={workspace.timezone} />
          <p className={styles.foot}>
            {formatExact(entries.length)} shown · newest first
            {auditResult.hasNextPage ? (
              <Button small busy={auditResult.isFetchingNextPage} onClick={() => void auditResult.fetchNextPage()}>
                Next 50
              </Button>
            ) : null}
          </p>
        </>
      ) : (
        <Skeleton height={180} />
      )}
    </Section>
  );
}

function AuditTable({ entries, timezone }: { entries: readonly AuditEntry[]; timezone: string }) {
  const { data: members = [] } = useQuery(membersQuery);
  const memberNameOf = (by: AuditEntry["by"]) =>
    (by === null ? "the operator" : (members.find(({ id }) => id === by.id)?.name ?? by.email));
  const columns: Column<AuditEntry>[] = [
    {
      key: "at",
      label: "When",
      width: 112,
      render: ({ at }) => (
        <time className={styles.muted} dateTime={at} title={dateTime(at, timezone)}>
          {formatBriefly(at, timezone)}
        </time>
      ),
    },
    { key: "by", label: "Who", width: "24%", hideBelow: 600, render: ({ by }) => <span className={styles.who}>{memberNameOf(by)}</span> },
    { key: "action", label: "What", render: (entry) => <ActionCell entry={entry} memberName={memberNameOf(entry.by)} /> },
  ];
  return <Table label="Audit" columns={columns} rows={entries} rowKey={({ id }) => id} dense />;
}

function ActionCell({ entry, memberName }: { entry: AuditEntry; memberName: string }) {
  const { words, subject, change } = actionOf(entry);
  return (
    <span className={styles.what}>
      <span className={styles.phone}>{memberName} </span>
      <span className={styles.muted}>{words}</span> <span className={styles.subject}>{subject}</span>
      {change ? <span className={styles.muted}> {change}</span> : null}
    </span>
  );
}

function auditCsv(entries: readonly AuditEntry[]): string {
  const columns = ["at", "by", "action", "subject", "details"].map((label) => ({ label, numeric: false }));
  const rows = entries.map(({ at, by, action, subject, details }) => [at, by?.email ?? "", action, subject, JSON.stringify(details)]);
  return csvOf({ columns, rows });
}
