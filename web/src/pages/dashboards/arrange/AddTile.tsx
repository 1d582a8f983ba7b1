import { Link } from "@tanstack/react-router";
import type { Dashboard } from "../../../api/dashboards.ts";
import type { Kind } from "../../../widgets/definition.ts";
import { KIND_ICONS } from "../../../widgets/icons.ts";
import { DEFINITIONS } from "../../../widgets/registry.ts";
import styles from "./Arrange.module.css";
import { Proposals } from "./Proposals.tsx";

const HEADING_ID = "add-widget";

/** Scroll to the last tile, which may be far down, and focus what it offers first. */
export function goToAddTile(): void {
  const tile = document.getElementById(HEADING_ID)?.parentElement;
  tile?.scrollIntoView({ block: "center" });
  tile?.querySelector<HTMLElement>("button, a")?.focus({ preventScroll: true });
}

/** The last tile while arranging: cards to add at once, and one button for each kind of widget. */
export function AddTile({ dashboard }: { dashboard: Dashboard }) {
  return (
    <section className={styles.add} aria-labelledby={HEADING_ID}>
      <h2 id={HEADING_ID}>Add widget</h2>
      <Proposals dashboard={dashboard} />
      <ul className={styles.kinds}>
        {DEFINITIONS.map(({ kind, label }) => (
          <li key={kind}>
            <Link
              className={styles.kind}
              to="/d/$id/w/$widgetId"
              params={{ id: dashboard.id, widgetId: "new" }}
              search={(current) => ({ ...current, kind })}
            >
              <KindIcon kind={kind} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

function KindIcon({ kind }: { kind: Kind }) {
  const Icon = KIND_ICONS[kind];
  return <Icon size={16} strokeWidth={1.6} aria-hidden="true" />;
}
