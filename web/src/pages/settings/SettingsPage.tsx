import { Suspense } from "react";
import { mayAct } from "../../core/roles.ts";
import { Page } from "../../ui/Page/Page.tsx";
import { Skeleton } from "../../ui/Skeleton/Skeleton.tsx";
import { Contents } from "./Contents.tsx";
import { SECTIONS } from "./sections.ts";
import { Section } from "./Section.tsx";
import styles from "./SettingsPage.module.css";
import { useIdentity } from "./useIdentity.ts";

/** Everything that is set once: the workspace, who belongs to it, one's own account, and the log of all that. */
export function SettingsPage() {
  const { role, workspace } = useIdentity();
  const sections = SECTIONS.filter((section) => mayAct(role, section.role));
  return (
    <Page title="Settings" workspace={workspace.name}>
      <div className={styles.page}>
        <Contents sections={sections} />
        <div className={styles.sections}>
          {sections.map(({ id, title, Content, height }) => (
            <Suspense
              key={id}
              fallback={
                <Section id={id} title={title}>
                  <Skeleton height={height ?? 100} />
                </Section>
              }
            >
              <Content />
            </Suspense>
          ))}
        </div>
      </div>
    </Page>
  );
}
