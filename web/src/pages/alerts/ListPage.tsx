import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { alertChannelsQuery } from "../../api/alertChannels.ts";
import { mayAct } from "../../core/roles.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { useScope } from "../../scope/useScope.ts";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Button } from "../../ui/Button/Button.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { Tabs } from "../../ui/Tabs/Tabs.tsx";
import { ChannelsTab } from "./ChannelsTab.tsx";
import { RulesTab } from "./RulesTab.tsx";
import { useLiveAlerts } from "./useLiveAlerts.ts";

const route = getRouteApi("/member/alerts");
const pages = getRouteApi("/member");

/** What fires now, the rules, what they did; and on a tab of their own the channels. */
export function ListPage() {
  const { identity } = pages.useRouteContext();
  const { tab = "rules", sel } = route.useSearch();
  const navigate = route.useNavigate();
  const scope = useScope();
  const alerts = useLiveAlerts();
  const channels = useQuery(alertChannelsQuery);
  const [creating, setCreating] = useState(false);
  const mayWrite = mayAct(identity.role, "developer");
  const { timezone } = identity.workspace;
  const isRules = tab === "rules";
  const open = (next: string) =>
    void navigate({ search: ({ tab: _tab, sel: _sel, ...rest }) => (next === "channels" ? { ...rest, tab: "channels" as const } : rest) });
  const select = (id: string | undefined) =>
    void navigate({ search: ({ sel: _sel, ...rest }) => (id === undefined ? rest : { ...rest, sel: id }), replace: true, resetScroll: false });
  const create = () => (isRules ? void navigate({ to: "/alerts/new" }) : setCreating(true));
  return (
    <Page
      title="Alerts"
      workspace={identity.workspace.name}
      tools={
        <>
          {isRules ? <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} /> : null}
          {mayWrite ? (
            <Button variant="primary" icon={Plus} onClick={create} data-action="new">
              {isRules ? "New alert" : "New channel"}
            </Button>
          ) : null}
        </>
      }
    >
      <Tabs
        label="Alerts"
        value={tab}
        onChange={open}
        tabs={[
          { value: "rules", label: <Counted word="Rules" count={alerts.data?.filter((alert) => alert.environment === scope.environment).length} /> },
          { value: "channels", label: <Counted word="Channels" count={channels.data?.length} /> },
        ]}
      >
        {isRules ? (
          <RulesTab alerts={alerts} channels={channels.data ?? []} scope={scope} timezone={timezone} mayWrite={mayWrite} />
        ) : (
          <ChannelsTab
            channels={channels}
            alerts={alerts.data ?? []}
            selected={sel}
            onSelect={select}
            timezone={timezone}
            mayWrite={mayWrite}
            creating={creating}
            onCreated={() => setCreating(false)}
          />
        )}
      </Tabs>
    </Page>
  );
}

function Counted({ word, count }: { word: string; count: number | undefined }) {
  return (
    <>
      {word} {count === undefined ? null : <Badge>{count}</Badge>}
    </>
  );
}
