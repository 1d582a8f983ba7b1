import { CornerDownRight } from "lucide-react";
import type { ReactNode } from "react";
import { formatDuration } from "../core/durations.ts";
import { formatExact, formatPercent } from "../core/numbers.ts";
import styles from "./FunnelBars.module.css";
import { ScrollRegion } from "./ScrollRegion.tsx";
import { StepTimes, type TimesBucket } from "./StepTimes.tsx";

export interface FunnelBar {
  label: string;
  count: number;
  /** Of those who reached the first step. */
  rate: number;
  /** Of those who reached the step before. */
  stepRate: number;
  medianSeconds: number | null;
  /** How long those took who came from the step before, if that was asked for. */
  times?: readonly TimesBucket[] | undefined;
}

export interface FunnelBarsProps {
  title: string;
  steps: readonly FunnelBar[];
  /** Ask who reached a step, counted from 1, or who stopped after it. */
  onStep?: ((step: number, outcome: "reached" | "dropped") => void) | undefined;
}

/** The steps of a funnel as bars; between two steps stand those who stopped, and how long the others took. */
export function FunnelBars({ title, steps, onStep }: FunnelBarsProps): ReactNode {
  return (
    <ScrollRegion label={title} parts="li" noun="step" hasButtons={onStep !== undefined}>
      <ol className={styles.funnel} aria-label={title}>
        {steps.map((step, index) => (
          <li key={index}>
            <div className={styles.words}>
              <span title={step.label}>
                <span data-number>{index + 1}</span>
                {step.label}
              </span>
              {onStep ? (
                <button type="button" aria-label={`${formatExact(step.count)} reached ${step.label} – show who`} onClick={() => onStep(index + 1, "reached")}>
                  {formatExact(step.count)}
                </button>
              ) : (
                <b>{formatExact(step.count)}</b>
              )}
              <span data-rate>{formatPercent(step.rate)}</span>
            </div>
            <div className={styles.track} aria-hidden="true">
              <u style={{ width: widthOfRate(steps[index - 1]?.rate ?? 1) }} />
              <i style={{ width: widthOfRate(step.rate) }} data-some={step.count > 0 || undefined} />
            </div>
            <DropLine step={step} nextStep={steps[index + 1]} onStop={onStep && (() => onStep(index + 1, "dropped"))} />
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

const widthOfRate = (rate: number): string => `${Math.min(rate, 1) * 100}%`;

interface DropProps {
  step: FunnelBar;
  nextStep: FunnelBar | undefined;
  onStop: (() => void) | undefined;
}

function DropLine({ step, nextStep, onStop }: DropProps): ReactNode {
  if (!nextStep) return null;
  const dropCount = Math.max(step.count - nextStep.count, 0);
  const lossText = dropCount === 0 ? "" : formatPercent(1 - nextStep.stepRate);
  return (
    <div className={styles.drop}>
      <CornerDownRight size={14} strokeWidth={1.6} aria-hidden="true" />
      {step.count === 0 && <span>no one left</span>}
      {step.count > 0 && dropCount === 0 && <span>no one stopped</span>}
      {dropCount > 0 && <b>{lossText.startsWith("<") ? lossText : `−${lossText}`}</b>}
      {dropCount > 0 &&
        (onStop ? (
          <button type="button" aria-label={`${formatExact(dropCount)} stopped after ${step.label} – show who`} onClick={onStop}>
            · {formatExact(dropCount)} stopped
          </button>
        ) : (
          <span>· {formatExact(dropCount)} stopped</span>
        ))}
      {nextStep.medianSeconds !== null && <span>· median {formatDuration(nextStep.medianSeconds)}</span>}
      {nextStep.times && <StepTimes buckets={nextStep.times} />}
    </div>
  );
}
