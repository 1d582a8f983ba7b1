import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi, useBlocker } from "@tanstack/react-router";
import { useState } from "react";
import { identityQuery } from "../../api/auth.ts";
import { mayAct } from "../../core/roles.ts";
import { useScope } from "../../scope/useScope.ts";
import { DraftNote } from "../../scope/work/DraftNote.tsx";
import { LeaveQuestion } from "../../scope/work/LeaveQuestion.tsx";
import { useWork } from "../../scope/work/useWork.ts";
import { Button, buttonClass } from "../../ui/Button/Button.tsx";
import { ApiExample } from "../../ui/Code/ApiExample.tsx";
import { ConfirmDialog } from "../../ui/Dialog/ConfirmDialog.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { State } from "../../ui/States/State.tsx";
import { FileDrop } from "./FileDrop.tsx";
import styles from "./ImportPage.module.css";
import { MappingForm } from "./MappingForm.tsx";
import { type Mapping, columnOf, draftOf, guessRoles, mappingOf } from "./mapping.ts";
import { Preview, previewRows } from "./Preview.tsx";
import { Progress } from "./Progress.tsx";
import { type ChosenFile, useChosenFile } from "./useChosenFile.ts";
import { isFruitless, useImport } from "./useImport.ts";

const memberRoute = getRouteApi("/member");
const EXAMPLE = { events: [{ name: "order.placed", _actor: "customer-41", _timestamp: "2026-11-20T12:00:00Z", properties: { total: 42.5 } }] };

/** Bring events in from a file: choose it, say which column is what, look at the first events, send. */
export function ImportPage() {
  const { identity } = memberRoute.useRouteContext();
  const { data = identity } = useQuery(identityQuery);
  const timezone = (data ?? identity).workspace.timezone;
  const fileChoice = useChosenFile();
  return (
    <Page title="Import" workspace={identity.workspace.name}>
      {!mayAct(identity.role, "developer") ? (
        <State title="You need the Developer role" detail="Ask an admin to change your role." />
      ) : fileChoice.selection ? (
        <ChosenImport key={`${fileChoice.selection.source.file.name} ${fileChoice.selection.source.file.lastModified}`} selection={fileChoice.selection} timezone={timezone} onForget={fileChoice.forget} />
      ) : (
        <>
          <FileDrop onFile={fileChoice.choose} error={fileChoice.error} />
          <p className={styles.note}>
            For Parquet, compressed files and exports from other products, run <code>tallyroom import events</code> in a
            terminal.
          </p>
          <ApiExample request={{ method: "POST", path: "/v1/events", body: EXAMPLE, by: "key" }} />
        </>
      )}
    </Page>
  );
}

function initialMapping({ sample: { columns } }: ChosenFile): Mapping {
  const commaColumns = columns.filter(({ hasDecimalCommas }) => hasDecimalCommas).map(({ name }) => name);
  const roleByColumn = guessRoles(columns.map(({ name }) => name), new Set(commaColumns));
  return { roleByColumn, event: "", unit: "auto", rowTimezone: "" };
}

interface ChosenImportProps {
  selection: ChosenFile;
  timezone: string;
  onForget: () => void;
}

function ChosenImport({ selection, timezone, onForget }: ChosenImportProps) {
  const { source, sample } = selection;
  const { name: fileName, lastModified, size } = source.file;
  // A page cannot keep a file, but what is said of it: choose the file again, and it is there.
  const work = useWork({ subject: `import ${fileName} ${lastModified} ${size}`, savedValue: draftOf(initialMapping(selection)), isNew: true });
  const mapping = mappingOf(work.value);
  const [environment, setEnvironment] = useState(useScope().environment);
  const { state, start, stop, reset } = useImport();
  const isRunning = state.phase === "running";
  const blocker = useBlocker({ shouldBlockFn: () => isRunning, enableBeforeUnload: () => isRunning, withResolver: true });
  const hasEventName = columnOf(mapping.roleByColumn, "name") !== undefined || mapping.event.trim() !== "";
  const rows = previewRows(sample, hasEventName ? mapping : { ...mapping, event: "no name yet" }, source.isNdjson);
  const isEveryRowRefused = rows.every(({ refusal }) => refusal !== null);
  const startImport = () => {
    work.finish();
    start(source, mapping, environment);
  };
  if (state.phase !== "idle") {
    return (
      <>
        <Progress
          state={state}
          fileName={fileName}
          fileBytes={size}
          rowTimezone={mapping.rowTimezone}
          timezone={timezone}
        />
        <div className={styles.actions}>
          {isRunning ? (
            <Button variant="danger" onClick={stop}>Stop</Button>
          ) : isFruitless(state) ? (
            <>
              <Button variant="primary" onClick={reset}>Change mapping</Button>
              <Button onClick={onForget}>Import another file</Button>
            </>
          ) : (
            <>
              <Link to="/events" search={{ env: environment, range: "90d" }} className={buttonClass("primary")}>
                Open events
              </Link>
              <Button onClick={onForget}>Import another file</Button>
            </>
          )}
        </div>
        {blocker.status === "blocked" ? (
          <ConfirmDialog
            title="Stop the import"
            detail="The import runs in this page. Accepted rows are kept. To continue, import the same file again within 24 hours. No row is counted twice."
            confirm="Stop and leave"
            onConfirm={blocker.proceed}
            onClose={blocker.reset}
          />
        ) : null}
      </>
    );
  }
  return (
    <>
      <p className={styles.file}>
        <span className={styles.name}>{fileName}</span>
        <Button small variant="quiet" onClick={onForget}>Choose another</Button>
        <DraftNote work={work} />
      </p>
      <MappingForm
        columns={sample.columns}
        mapping={mapping}
        onMapping={(nextMapping) => work.change(draftOf(nextMapping))}
        environment={environment}
        onEnvironment={setEnvironment}
        timezone={timezone}
      />
      <h2 className={styles.heading}>The first events</h2>
      <Preview rows={rows} />
      <div className={styles.actions}>
        <Button variant="primary" disabled={!hasEventName || isEveryRowRefused} onClick={startImport}>
          Import into {environment}
        </Button>
        <p className={styles.note}>
          {!hasEventName
            ? "Choose the column with the event name, or enter one name for every event."
            : isEveryRowRefused
              ? "None of these rows is a valid event yet. Change the column mapping."
              : `A key named “Import of ${fileName}” is created for the import and revoked when it ends.`}
        </p>
      </div>
      <LeaveQuestion work={work} />
    </>
  );
}
