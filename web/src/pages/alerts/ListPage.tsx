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
const memberRoute = getRouteApi("/member");

/** What fires now, the rules, what they did; and on a tab of their own the channels. */
export function ListPage() {
  const { identity } = memberRoute.useRouteContext();
  const { tab = "rules", sel: selectedId } = route.useSearch();
  const navigate = route.useNavigate();
  const scope = useScope();
  const alertsResult = useLiveAlerts();
  const channelsResult = useQuery(alertChannelsQuery);
  const [isCreating, setIsCreating] = useState(false);
  const mayWrite = mayAct(identity.role, "developer");
  const { timezone } = identity.workspace;
  const isRulesTab = tab === "rules";
  const openTab = (nextTab: string) =>
    void navigate({
      search: ({ tab: _tab, sel: _sel, ...rest }) => (nextTab === "channels" ? { ...rest, tab: "channels" as const } : rest),
    });
  const selectChannel = (id: string | undefined) =>
    void navigate({ search: ({ sel: _sel, ...rest }) => (id === undefined ? rest : { ...rest, sel: id }), replace: true, resetScroll: false });
  const startNew = () => (isRulesTab ? void navigate({ to: "/alerts/new" }) : setIsCreating(true));
  return (
    <Page
      title="Alerts"
      workspace={identity.workspace.name}
      tools={
        <>
          {isRulesTab ? <EnvironmentPicker environment={scope.environment} onChange={scope.setEnvironment} /> : null}
          {mayWrite ? (
            <Button variant="primary" icon={Plus} onClick={startNew} data-action="new">
              {isRulesTab ? "New alert" : "New channel"}
            </Button>
          ) : null}
        </>
      }
    >
      <Tabs
        label="Alerts"
        value={tab}
        onChange={openTab}
        tabs={[
          { value: "rules", label: <CountedLabel word="Rules" count={alertsResult.data?.filter((alert) => alert.environment === scope.environment).length} /> },
          { value: "channels", label: <CountedLabel word="Channels" count={channelsResult.data?.length} /> },
        ]}
      >
        {isRulesTab ? (
          <RulesTab
            alertsResult={alertsResult}
            channels={channelsResult.data ?? []}
            scope={scope}
            timezone={timezone}
            mayWrite={mayWrite}
          />
        ) : (
          <ChannelsTab
            channelsResult={channelsResult}
            alerts={alertsResult.data ?? []}
            selectedId={selectedId}
            onSelect={selectChannel}
            timezone={timezone}
            mayWrite={mayWrite}
            isCreating={isCreating}
            onCreateClose={() => setIsCreating(false)}
          />
        )}
      </Tabs>
    </Page>
  );
}

function CountedLabel({ word, count }: { word: string; count: number | undefined }) {
  return (
    <>
      {word} {count === undefined ? null : <Badge>{count}</Badge>}
    </>
  );
}
