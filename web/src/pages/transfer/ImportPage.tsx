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
import { type Mapping, columnOf, draftOf, eventNameOf, guessRoles, mappingOf } from "./mapping.ts";
import { Preview, previewRows } from "./Preview.tsx";
import { Progress } from "./Progress.tsx";
import type { SampleColumn } from "./sample.ts";
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

function initialMapping({ source, sample: { columns } }: ChosenFile): Mapping {
  const namesOf = (isChosen: (column: SampleColumn) => boolean) => columns.filter(isChosen).map(({ name }) => name);
  const commaColumns = new Set(namesOf(({ hasDecimalCommas }) => hasDecimalCommas));
  const timeColumns = new Set(namesOf(({ hasTimes }) => hasTimes));
  const roleByColumn = guessRoles(namesOf(() => true), commaColumns, timeColumns);
  const event = columnOf(roleByColumn, "name") === undefined ? eventNameOf(source.file.name) : "";
  return { roleByColumn, event, unit: "auto", rowTimezone: "" };
}

interface Readiness {
  hasEventName: boolean;
  hasTime: boolean;
  isEveryRowRefused: boolean;
}

/** Return what a person has to do before the import can start; null if it can. */
function obstacleOf({ hasEventName, hasTime, isEveryRowRefused }: Readiness): string | null {
  if (!hasEventName) return "Choose the column with the event name, or enter one name for every event.";
  if (!hasTime) return "Choose the column with the time of the events, or give them the time of the import.";
  return isEveryRowRefused ? "None of these rows is a valid event yet. Change the column mapping." : null;
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
  const [takesImportTime, setTakesImportTime] = useState(false);
  const { state, start, stop, reset } = useImport();
  const isRunning = state.phase === "running";
  const blocker = useBlocker({ shouldBlockFn: () => isRunning, enableBeforeUnload: () => isRunning, withResolver: true });
  const hasEventName = columnOf(mapping.roleByColumn, "name") !== undefined || mapping.event.trim() !== "";
  const rows = previewRows(sample, hasEventName ? mapping : { ...mapping, event: "no name yet" }, source.isNdjson);
  const hasTime = columnOf(mapping.roleByColumn, "timestamp") !== undefined || takesImportTime;
  const obstacle = obstacleOf({ hasEventName, hasTime, isEveryRowRefused: rows.every(({ refusal }) => refusal !== null) });
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
        takesImportTime={takesImportTime}
        onTakesImportTime={setTakesImportTime}
      />
      <h2 className={styles.heading}>The first events</h2>
      <Preview rows={rows} />
      <div className={styles.actions}>
        <Button variant="primary" disabled={obstacle !== null} onClick={startImport}>
          Import into {environment}
        </Button>
        <p className={styles.note}>{obstacle ?? `A key named “Import of ${fileName}” is created for the import and revoked when it ends.`}</p>
      </div>
      <LeaveQuestion work={work} />
    </>
  );
}
