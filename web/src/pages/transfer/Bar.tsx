import styles from "./Bar.module.css";

/** How much of something is done; without a share, that it goes on. */
export function Bar({ label, share }: { label: string; share: number | null }) {
  const ariaProps = share === null ? {} : { "aria-valuenow": Math.round(share * 100) };
  return (
    <div className={styles.track} role="progressbar" aria-label={label} aria-valuemin={0} aria-valuemax={100} {...ariaProps}>
      <i className={styles.done} data-endless={share === null || undefined} style={{ width: `${(share ?? 0.34) * 100}%` }} />
    </div>
  );
}
