import { useQuery } from "@tanstack/react-query";
import { Link, getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { environmentsQuery } from "../../api/environments.ts";
import type { NewKey } from "../../api/keys.ts";
import { mayAct } from "../../core/roles.ts";
import { KEY_PLACEHOLDER, snippets } from "../../core/snippets.ts";
import { EnvironmentPicker } from "../../scope/EnvironmentPicker.tsx";
import { useArrival } from "../../scope/arrival/useArrival.ts";
import { useScope } from "../../scope/useScope.ts";
import { buttonClass } from "../../ui/Button/Button.tsx";
import { Snippet } from "../../ui/Code/Snippet.tsx";
import { Page } from "../../ui/Page/Page.tsx";
import { TallyStep } from "../../ui/Steps/TallyStep.tsx";
import { ArriveStep } from "./ArriveStep.tsx";
import { KeyStep } from "./KeyStep.tsx";
import styles from "./StartPage.module.css";

const memberRoute = getRouteApi("/member");

/** The way from an empty workspace to the first event: a key, an example to run, and the event as it arrives. */
export function StartPage() {
  const { identity } = memberRoute.useRouteContext();
  const { environment, setEnvironment } = useScope();
  const [newKeyByEnvironment, setNewKeyByEnvironment] = useState<Partial<Record<string, NewKey>>>({});
  const environmentKey = newKeyByEnvironment[environment];
  const { data: environments = [] } = useQuery(environmentsQuery);
  const environmentNames = environments.map(({ name }) => name);
  const { arrival, hasFailed } = useArrival(environmentNames);
  const isDone = arrival !== null;
  const mayCreate = mayAct(identity.role, "developer");
  const isProduction = environment === "production";
  return (
    <Page
      title="First event"
      workspace={identity.workspace.name}
      tools={
        <>
          <EnvironmentPicker environment={environment} onChange={setEnvironment} />
          <Link to="/dashboards" className={buttonClass("quiet")}>
            Skip for now
          </Link>
        </>
      }
    >
      <div className={styles.column}>
        <h2 className={styles.title}>Three steps to your first number</h2>
        <p className={styles.lead}>
          Takes about a minute.{" "}
          {isProduction ? "What you send counts immediately." : `Nothing you send to ${environment} shows up in production.`}
          {mayCreate ? (
            <>
              {" "}
              Events in a file? <Link to="/import">Import them</Link> instead.
            </>
          ) : null}
        </p>
        <ol>
          <KeyStep
            environment={environment}
            newKey={environmentKey}
            isDone={isDone}
            mayCreate={mayCreate}
            onCreate={(newKey) => setNewKeyByEnvironment((previous) => ({ ...previous, [newKey.environment]: newKey }))}
          />
          <TallyStep strokes={2} title="Send something" isDone={isDone}>
            <Snippet key={environment} tabs={snippets(location.origin, environmentKey?.secret ?? KEY_PLACEHOLDER)} />
            {environmentKey ? null : (
              <p className={styles.note}>
                {mayCreate ? `Create a key to replace ${KEY_PLACEHOLDER}.` : `Replace ${KEY_PLACEHOLDER} with a key.`}
              </p>
            )}
          </TallyStep>
          <ArriveStep arrival={arrival} environments={environmentNames} hasFailed={hasFailed} timezone={identity.workspace.timezone} />
        </ol>
      </div>
    </Page>
  );
}
