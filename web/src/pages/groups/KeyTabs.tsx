import type { ReactNode } from "react";
import type { GroupKey } from "../../api/groups.ts";
import { GroupKeyMenu } from "../../scope/GroupKeyMenu.tsx";
import { Badge } from "../../ui/Badge/Badge.tsx";
import { Tabs } from "../../ui/Tabs/Tabs.tsx";
import styles from "./KeyTabs.module.css";

export interface KeyTabsProps {
  keys: readonly GroupKey[];
  groupKind: GroupKey;
  mayWrite: boolean;
  onChoose: (propKey: string) => void;
  onRemoved: () => void;
  children: ReactNode;
}

/** The registered keys as tabs; whoever may change them has a menu for the one in sight. */
export function KeyTabs({ keys, groupKind, mayWrite, onChoose, onRemoved, children }: KeyTabsProps) {
  return (
    <div className={styles.tabs}>
      <Tabs
        label="Group keys"
        value={groupKind.propKey}
        onChange={onChoose}
        tabs={keys.map(({ propKey, label, isDefault }) => ({
          value: propKey,
          label: (
            <>
              {label}
              {isDefault ? <Badge>default</Badge> : null}
            </>
          ),
        }))}
      >
        {children}
      </Tabs>
      {mayWrite ? (
        <div className={styles.menu}>
          <GroupKeyMenu groupKey={groupKind} onRemoved={onRemoved} />
        </div>
      ) : null}
    </div>
  );
}
