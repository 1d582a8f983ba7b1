import { CornerDownRight } from "lucide-react";
import type { CSSProperties, ReactNode } from "react";
import { formatDuration } from "../core/durations.ts";
import { formatExact, formatPercent } from "../core/numbers.ts";
import { seriesColor } from "./colors.ts";
import styles from "./FunnelBars.module.css";
import { type StepPart, partSharesOf, stoppedCountOf } from "./funnelSteps.ts";
import { ScrollRegion } from "./ScrollRegion.tsx";
import { StepTimes, type TimesBucket } from "./StepTimes.tsx";
import type { SeriesColor } from "./series.ts";

export interface FunnelBar {
  label: string;
  count: number;
  /** Of those who reached the first step. */
  rate: number;
  /** Of these, how many have not reached the next step but still have time for it. */
  waiting: number;
  /** The units of each label, by which the bar is split; in the order of their colors. */
  parts?: readonly (StepPart & { color: SeriesColor })[] | undefined;
  medianSeconds: number | null;
  /** How long those took who came from the step before, if that was asked for. */
  times?: readonly TimesBucket[] | undefined;
}

export interface FunnelBarsProps {
  title: string;
  steps: readonly FunnelBar[];
  /** That of the label whose units they are; 1 for all. */
  color?: SeriesColor | undefined;
  /** Ask who reached a step, counted from 1, and of these who stopped there or still has time for the next one. */
  onStep?: ((step: number, outcome: StepOutcome) => void) | undefined;
  /** The number that is open elsewhere on the page. */
  openStep?: { step: number; outcome: string } | undefined;
}

export type StepOutcome = "reached" | "stopped" | "waiting";

/** The steps of a funnel as bars; between two steps stand those who stopped or still have time, and how long the others took. */
export function FunnelBars({ title, steps, color, onStep, openStep }: FunnelBarsProps): ReactNode {
  return (
    <ScrollRegion label={title} parts="li" noun="step" hasButtons={onStep !== undefined}>
      <ol className={styles.funnel} aria-label={title} style={{ "--bar-color": seriesColor(color) } as CSSProperties}>
        {steps.map((step, index) => (
          <li key={index} title={step.label}>
            <div className={styles.words}>
              <span>
                <span data-number>{index + 1}</span>
                {step.label}
              </span>
              {onStep ? (
                <button
                  type="button"
                  data-covers
                  aria-current={isOpen(openStep, index, "reached")}
                  aria-label={`${formatExact(step.count)} reached ${step.label} – show who`}
                  onClick={() => onStep(index + 1, "reached")}
                >
                  {formatExact(step.count)}
                </button>
              ) : (
                <b>{formatExact(step.count)}</b>
              )}
              <span data-rate>{formatPercent(step.rate)}</span>
            </div>
            <div className={styles.track} aria-hidden="true">
              <u style={{ width: widthOfRate(steps[index - 1]?.rate ?? 1) }} />
              <em style={{ width: widthOfRate(step.rate + waitingShareOf(steps, index)) }} />
              <i style={{ width: widthOfRate(step.rate) }} data-some={step.count > 0 || undefined} data-split={step.parts ? true : undefined}>
                <Parts {...step} />
              </i>
            </div>
            <DropLine
              step={step}
              nextStep={steps[index + 1]}
              onAsk={onStep && ((outcome) => onStep(index + 1, outcome))}
              isOpen={(outcome) => isOpen(openStep, index, outcome)}
            />
          </li>
        ))}
      </ol>
    </ScrollRegion>
  );
}

/** Return true if a number of a step is open; undefined instead of false, as for an attribute. */
const isOpen = (openStep: FunnelBarsProps["openStep"], index: number, outcome: StepOutcome): true | undefined =>
  (openStep?.step === index + 1 && openStep.outcome === outcome) || undefined;

/** The labels of a step, side by side in its bar. */
function Parts({ count, parts = [] }: FunnelBar): ReactNode {
  const shares = partSharesOf(count, parts);
  return parts.map(({ label, color, count: partCount }, index) => (
    <span key={label} title={`${label}: ${formatExact(partCount)}`} style={{ width: widthOfRate(shares[index] ?? 0), background: seriesColor(color) }} />
  ));
}

/** Return the share of the first step that may still reach a step. */
function waitingShareOf(steps: readonly FunnelBar[], index: number): number {
  const [firstStep, previousStep] = [steps[0], steps[index - 1]];
  return firstStep && previousStep && firstStep.count > 0 ? previousStep.waiting / firstStep.count : 0;
}

const widthOfRate = (rate: number): string => `${Math.min(rate, 1) * 100}%`;

interface DropProps {
  step: FunnelBar;
  nextStep: FunnelBar | undefined;
  onAsk: ((outcome: StepOutcome) => void) | undefined;
  isOpen: (outcome: StepOutcome) => true | undefined;
}

function DropLine({ step, nextStep, onAsk, isOpen }: DropProps): ReactNode {
  if (!nextStep) return null;
  const stoppedCount = stoppedCountOf(step, nextStep);
  const lossText = stoppedCount === 0 ? "" : formatPercent(stoppedCount / step.count);
  return (
    <div className={styles.drop}>
      <CornerDownRight size={14} strokeWidth={1.6} aria-hidden="true" />
      {step.count === 0 && <span>no one left</span>}
      {step.count > 0 && stoppedCount === 0 && step.waiting === 0 && <span>no one stopped</span>}
      {stoppedCount > 0 && <b>{lossText.startsWith("<") ? lossText : `−${lossText}`}</b>}
      {stoppedCount > 0 && (
        <Asked
          text={`· ${formatExact(stoppedCount)} stopped`}
          name={`${formatExact(stoppedCount)} stopped after ${step.label}`}
          isOpen={isOpen("stopped")}
          onAsk={onAsk && (() => onAsk("stopped"))}
        />
      )}
      {step.waiting > 0 && (
        <Asked
          text={`${stoppedCount > 0 ? "· " : ""}${formatExact(step.waiting)} still ${step.waiting === 1 ? "has" : "have"} time`}
          name={`${formatExact(step.waiting)} still ${step.waiting === 1 ? "has" : "have"} time after ${step.label}`}
          isOpen={isOpen("waiting")}
          onAsk={onAsk && (() => onAsk("waiting"))}
        />
      )}
      {nextStep.medianSeconds !== null && <span>· median {formatDuration(nextStep.medianSeconds)}</span>}
      {nextStep.times && <StepTimes buckets={nextStep.times} />}
    </div>
  );
}

/** Words that say who they are about when they are pressed, if that can be asked. */
function Asked({ text, name, isOpen, onAsk }: { text: string; name: string; isOpen: true | undefined; onAsk: (() => void) | undefined }): ReactNode {
  if (!onAsk) return <span>{text}</span>;
  return (
    <button type="button" aria-current={isOpen} aria-label={`${name} – show who`} onClick={onAsk}>
      {text}
    </button>
  );
}
