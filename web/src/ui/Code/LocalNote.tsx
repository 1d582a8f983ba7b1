import styles from "./LocalNote.module.css";

const LOCAL = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Says that an address leads nowhere from elsewhere, where that is so. */
export function LocalNote({ url }: { url: string }) {
  const { hostname, origin } = new URL(url);
  if (!LOCAL.test(hostname)) return null;
  return (
    <p className={styles.note}>
      Only this machine can open {origin}. To share it, set TALLYROOM_BASE_URL to an address that others can reach, and
      open the app there.
    </p>
  );
}
