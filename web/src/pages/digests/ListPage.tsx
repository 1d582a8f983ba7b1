import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { Suspense } from "react";
import { dashboardsQuery } from "../../api/dashboards.ts";
import { type Digest, digestsQuery } from "../../api/digests.ts";
import { errorInWords } from "../../api/words.ts";
import { mayAct } from "../../core/roles.ts";
import { Button } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { ErrorState } from "../../ui/States/ErrorState.tsx";
import { State } from "../../ui/States/State.tsx";
import { lazily } from "../../ui/lazily.ts";
import { DigestList } from "./DigestList.tsx";
import styles from "./ListPage.module.css";
import { MailCard } from "./MailCard.tsx";
import { Sendings } from "./Sendings.tsx";
import { mailKey } from "./digestDraft.ts";

const EditDialog = lazily(() => import("./EditDialog.tsx"), "EditDialog");
const route = getRouteApi("/member/digests");
const memberRoute = getRouteApi("/member");

/** Dashboards that are mailed regularly, beside the very mail of the chosen one. */
export function ListPage() {
  const { identity } = memberRoute.useRouteContext();
  const { new: newParam, dashboard } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: digests, error, refetch } = useQuery(digestsQuery);
  const mayWrite = mayAct(identity.role, "developer");
  const openNew = () => void navigate({ search: (previous) => ({ ...previous, new: "1" as const }), replace: true });
  const closeNew = () => void navigate({ search: ({ new: _new, dashboard: _dashboard, ...rest }) => rest, replace: true });
  const selectDigest = ({ id }: Digest) => void navigate({ search: ({ new: _new, dashboard: _dashboard, ...rest }) => ({ ...rest, sel: id }), replace: true });
  const createButton = mayWrite ? (
    <Button variant="primary" icon={Plus} onClick={openNew} data-action="new">New digest</Button>
  ) : null;
  return (
    <Page title="Digests" workspace={identity.workspace.name} tools={createButton}>
      {error && !digests ? (
        <ErrorState {...errorInWords(error)} onRetry={() => void refetch()} />
      ) : !digests ? (
        <Skeleton height={320} />
      ) : digests.length === 0 ? (
        <NoDigests mayWrite={mayWrite} />
      ) : (
        <DigestColumns digests={digests} mayWrite={mayWrite} timezone={identity.workspace.timezone} />
      )}
      <Suspense>
        {mayWrite && newParam ? <EditDialog initialDashboardId={dashboard} onSaved={selectDigest} onClose={closeNew} /> : null}
      </Suspense>
    </Page>
  );
}

function DigestColumns({ digests, mayWrite, timezone }: { digests: readonly Digest[]; mayWrite: boolean; timezone: string }) {
  const { sel: selectedId } = route.useSearch();
  const { data: dashboards = [] } = useQuery(dashboardsQuery);
  const nameOf = ({ name, dashboardId }: Digest): string => name ?? dashboards.find(({ id }) => id === dashboardId)?.name ?? "\u00a0";
  const selectedDigest = digests.find(({ id }) => id === selectedId) ?? digests[0];
  return (
    <div className={styles.columns}>
      <DigestList digests={digests} selectedId={selectedDigest?.id} nameOf={nameOf} timezone={timezone} mayWrite={mayWrite} />
      {selectedDigest ? (
        <>
          <div>
            <Sendings key={selectedDigest.id} digest={selectedDigest} name={nameOf(selectedDigest)} timezone={timezone} />
          </div>
          <div className={styles.mail}>
            <MailCard key={mailKey(selectedDigest)} digest={selectedDigest} name={nameOf(selectedDigest)} mayWrite={mayWrite} />
          </div>
        </>
      ) : null}
    </div>
  );
}

function NoDigests({ mayWrite }: { mayWrite: boolean }) {
  const { data: dashboards } = useQuery(dashboardsQuery);
  if (dashboards?.length === 0) {
    return (
      <State
        title="No digests yet"
        detail="A digest emails a dashboard. Create a dashboard first."
        action={<Link to="/dashboards">Open dashboards</Link>}
      />
    );
  }
  return (
    <State
      title="No digests yet"
      detail={`A digest emails the numbers and charts of a dashboard every day, week or month.${mayWrite ? "" : " A developer can create one."}`}
    />
  );
}
