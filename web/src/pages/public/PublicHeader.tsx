import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { Moon, Sun } from "lucide-react";
import { PUBLIC_DATA } from "../../api/public.ts";
import { formatAgo } from "../../core/time.ts";
import { useTheme } from "../../scope/theme.ts";
import { IconButton } from "../../ui/Button/IconButton.tsx";
import { useNow } from "../../ui/useNow.ts";
import styles from "./PublicPage.module.css";

export interface PublicHeaderProps {
  name: string;
  icon: string | null;
  /** What it is about, and over which time. */
  detailText: string;
}

/** What a public dashboard is called and what it is about, and the switch of the theme. */
export function PublicHeader({ name, icon, detailText }: PublicHeaderProps) {
  const { theme, toggleTheme } = useTheme();
  return (
    <header className={styles.head}>
      <div className={styles.name}>
        <h1>
          {icon ? <span aria-hidden="true">{icon} </span> : null}
          {name}
        </h1>
        <p>{detailText}</p>
      </div>
      <div className={styles.tools}>
        <DataAge />
        <IconButton
          label={theme === "dark" ? "Use light theme" : "Use dark theme"}
          icon={theme === "dark" ? Sun : Moon}
          onClick={toggleTheme}
        />
      </div>
    </header>
  );
}

/** How old the oldest answer on the page is. */
function DataAge() {
  const now = useNow(10_000);
  useIsFetching({ queryKey: [PUBLIC_DATA] });
  const queries = useQueryClient().getQueryCache().findAll({ queryKey: [PUBLIC_DATA], type: "active" });
  const updateTimes = queries.map(({ state }) => state.dataUpdatedAt).filter((updatedMs) => updatedMs > 0);
  if (updateTimes.length === 0) return <span />;
  const oldestMs = Math.min(...updateTimes);
  return <span className={styles.age}>updated {formatAgo(oldestMs, Math.max(now, oldestMs))}</span>;
}
