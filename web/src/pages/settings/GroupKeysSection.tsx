import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ApiError } from "../../api/errors.ts";
import { type GroupKey, groupKeysQuery } from "../../api/groups.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { formatDate } from "../../core/time.ts";
import { GroupKeyMenu } from "../../scope/GroupKeyMenu.tsx";
import { RegisterForm } from "../../scope/RegisterForm.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { CopyCurl } from "../../ui/Code/CopyCurl.tsx";
import { Dialog } from "../../ui/Dialog/Dialog.tsx";
import { Notices } from "../../ui/Notices/Notices.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { type Column, Table } from "../../ui/Table/Table.tsx";
import { Section } from "./Section.tsx";
import styles from "./Cells.module.css";
import { useIdentity } from "./useIdentity.ts";

/** The properties by which events are counted for a server, a team, an account. */
export function GroupKeysSection() {
  const { role, workspace } = useIdentity();
  const { environment } = useScope();
  const { data, error, refetch } = useQuery(groupKeysQuery(environment));
  const [isAdding, setIsAdding] = useState(false);
  const mayWrite = mayAct(role, "developer");
  const isFreePlan = error instanceof ApiError && error.status === 402;
  const candidates = data?.candidates ?? [];
  return (
    <Section
      id="group-keys"
      title="Group keys"
      tools={
        <>
          <CopyCurl request={{ path: "/v1/groups/keys", query: { environment, timeRange: "7d" } }} />
          {mayWrite && candidates.length > 0 ? (
            <Button small icon={Plus} onClick={() => setIsAdding(true)}>Register key</Button>
          ) : null}
        </>
      }
    >
      {isFreePlan ? (
        <State title="Groups are part of the paid plan" detail="This workspace counts by actor only." action={<Link to="/groups">See what groups show</Link>} />
      ) : error && !data ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !data ? (
        <Skeleton height={110} />
      ) : data.keys.length === 0 ? (
        <State title="No group key yet" detail="Register the property that names a server, team or account to count those instead of actors." />
      ) : (
        <KeyTable keys={data.keys} timezone={workspace.timezone} mayWrite={mayWrite} />
      )}
      <Notices notices={data?.notices} timezone={workspace.timezone} />
      {isAdding ? (
        <Dialog title="Register a group key" onClose={() => setIsAdding(false)}>
          <RegisterForm candidates={candidates} isFirst={data?.keys.length === 0} onRegistered={() => setIsAdding(false)} />
        </Dialog>
      ) : null}
    </Section>
  );
}

function KeyTable({ keys, timezone, mayWrite }: { keys: readonly GroupKey[]; timezone: string; mayWrite: boolean }) {
  const columns: Column<GroupKey>[] = [
    {
      key: "label",
      label: "Label",
      render: ({ label, isDefault }) => (
        <span className={styles.name}>
          {label} {isDefault ? <Badge>default</Badge> : null}
        </span>
      ),
    },
    { key: "property", label: "Property", render: ({ propKey }) => <code className={styles.code}>{propKey}</code> },
    {
      key: "since",
      label: "Since",
      align: "end",
      hideBelow: 600,
      render: ({ createdAt }) => <span className={styles.muted}>{formatDate(createdAt, timezone)}</span>,
    },
  ];
  if (mayWrite) {
    columns.push({
      key: "menu",
      label: "Actions",
      hideLabel: true,
      align: "end",
      width: 56,
      render: (key) => <GroupKeyMenu groupKey={key} />,
    });
  }
  return <Table label="Group keys" columns={columns} rows={keys} rowKey={({ id }) => id} />;
}
