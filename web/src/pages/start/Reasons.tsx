import styles from "./StartPage.module.css";

/** Why nothing arrives, as a rule; open after a minute of waiting. */
export function Reasons({ isOpen }: { isOpen: boolean }) {
  return (
    <details className={styles.reasons} open={isOpen}>
      <summary>Nothing after a minute? Four usual reasons</summary>
      <ol className={styles.list}>
        <li>
          <strong>Another environment.</strong> Keys with <code className={styles.code}>tr_live_</code> send to production,
          those with <code className={styles.code}>tr_test_</code> to the environment that they were made for.
        </li>
        <li>
          <strong>The key is cut off or revoked.</strong> The answer is 401. An unknown key belongs to no workspace, so that
          it is not shown above.
        </li>
        <li>
          <strong>A proxy or firewall is in the way.</strong> On the same machine,{" "}
          <code className={styles.code}>curl {location.origin}/healthz</code> tells whether the server can be reached.
        </li>
        <li>
          <strong>The program ends too early.</strong> Wait for the answer, which is 202, before it ends.
        </li>
      </ol>
    </details>
  );
}
