import { RankCard } from "../../widgets/RankCard.tsx";
import { CopyButton } from "../../ui/Code/CopyButton.tsx";
import styles from "./PlanPage.module.css";

const EXAMPLE = [
  { label: "Lofi Lounge", count: 48_211 },
  { label: "Midnight Arcade", count: 39_877 },
  { label: "Kissaten Radio", count: 31_402 },
  { label: "The Greenhouse", count: 27_719 },
  { label: "Night Bus", count: 22_840 },
];
const EXAMPLE_TOTAL = EXAMPLE.reduce((sum, { count }) => sum + count, 0);

/** Groups are not part of this workspace's plan: what they show, and how to change it. */
export function PlanPage({ workspaceName }: { workspaceName: string }) {
  const command = `tallyroom workspace set-plan ${quoteForShell(workspaceName)} paid`;
  return (
    <div className={styles.plan}>
      <div>
        <h2 className={styles.title}>See your servers, not just your users</h2>
        <p className={styles.words}>
          Groups count events by server, team or account: which are active, which have gone quiet, and what they do. This
          workspace is on the free plan, which counts by actor only.
        </p>
        <div className={styles.command}>
          <code>{command}</code>
          <CopyButton text={command} small variant="quiet" />
        </div>
        <p className={styles.note}>The server's operator can change the plan. It applies immediately.</p>
      </div>
      <RankCard title="Server" note="example data" rows={EXAMPLE} total={EXAMPLE_TOTAL} emptyText="" />
    </div>
  );
}

/** Quote a name for a shell, where it needs it. */
function quoteForShell(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
