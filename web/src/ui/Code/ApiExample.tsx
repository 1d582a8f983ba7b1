import { type CurlRequest, curlOf } from "../../core/curl.ts";
import { Code } from "./Code.tsx";
import styles from "./Code.module.css";
import { CopyButton } from "./CopyButton.tsx";

/** Beside a form: the request that does the same, folded until somebody wants it. */
export function ApiExample({ request }: { request: CurlRequest }) {
  const command = curlOf(request);
  return (
    <details className={styles.example}>
      <summary>Show as curl</summary>
      <div className={styles.snippet}>
        <div className={styles.copy}>
          <CopyButton label="Copy as curl" text={command} variant="quiet" small />
        </div>
        <Code label="As curl" text={command} />
      </div>
    </details>
  );
}
