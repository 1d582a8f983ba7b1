import styles from "./Logo.module.css";

export interface LogoProps {
  size?: number;
  /** How many strokes are drawn; the fifth crosses the four. */
  strokes?: 0 | 1 | 2 | 3 | 4 | 5;
}

const UPRIGHT = [8, 13, 18, 23];

/** The tally of five strokes. It is decoration: the words beside it name what it stands for. */
export function Logo({ size = 20, strokes = 5 }: LogoProps) {
  return (
    <svg className={styles.logo} width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      {UPRIGHT.slice(0, strokes).map((x) => (
        <path key={x} d={`M${x} 7v18`} />
      ))}
      {strokes === 5 ? <path className={styles.across} d="M3 21.5 28.5 11" /> : null}
    </svg>
  );
}
