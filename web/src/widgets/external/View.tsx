import { BigNumber } from "../../charts/BigNumber.tsx";
import type { ViewProps } from "../definition.ts";
import { bigNumber } from "../format.ts";
import { readInWords } from "./shape.ts";
import styles from "./View.module.css";

/** A value that another service answers; if it cannot be read, the last one and the reason. */
export function View({ config, answer }: ViewProps<"external">) {
  const { value, error } = answer;
  const bigValue = typeof value === "string" ? { value, fullValue: undefined } : bigNumber(value, config.display);
  return (
    <div className={styles.external}>
      <BigNumber {...bigValue} unit={config.display?.unit} note={<span>{readInWords(answer)}</span>} />
      {error !== null && <p>{error}</p>}
    </div>
  );
}
