import { tallyChart } from "./tally.ts";
import styles from "./TallyField.module.css";

const WIDE_CHART = tallyChart([26, 37, 41, 36, 32, 35, 36, 47, 56, 71, 71, 63, 60, 64, 90, 100, 103, 103, 109, 102, 113, 132]);
const NARROW_CHART = tallyChart([8, 12, 13, 14, 12, 15, 17, 24, 27, 33, 34, 36]);

/** The picture beside the forms: a growing chart of tally bundles, its last column in the accent. Decoration. */
export function TallyField() {
  return (
    <div className={styles.field}>
      {[WIDE_CHART, NARROW_CHART].map((chart) => (
        <svg
          key={chart.width}
          className={chart === WIDE_CHART ? styles.wide : styles.narrow}
          viewBox={`0 0 ${chart.width} ${chart.height}`}
          preserveAspectRatio="xMaxYMax meet"
          aria-hidden="true"
        >
          <path className={styles.before} d={chart.earlierPath} />
          <path className={styles.last} d={chart.lastPath} />
        </svg>
      ))}
      <p className={styles.caption}>
        <span>Every mark is an event.</span>
        <span>The fifth crosses the four.</span>
      </p>
    </div>
  );
}
