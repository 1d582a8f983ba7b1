import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { formatExact } from "../core/numbers.ts";
import { DAYS, hourName, weekHourName } from "../core/time.ts";
import { announce } from "../ui/announce.ts";
import { rampColors, shadeOfCount } from "./colors.ts";
import styles from "./HeatGrid.module.css";
import { useTaps } from "./useTaps.ts";

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const LABEL_STEP = 6;

export interface HeatGridProps {
  title: string;
  /** Seven days, Monday first, of 24 hours; null for an hour outside of the time range. */
  cells: readonly (readonly (number | null)[])[];
  /** Ask who is behind a cell. */
  onCell?: ((day: number, hour: number) => void) | undefined;
  /** The cell that is open elsewhere on the page. */
  openCell?: Cell | undefined;
}

type Cell = readonly [day: number, hour: number];

/** The hours of a week as shaded cells, with a cursor for mouse and keys. */
export function HeatGrid({ title, cells, onCell, openCell }: HeatGridProps): ReactNode {
  const [activeCell, setActiveCell] = useState<Cell | null>(null);
  const taps = useTaps();
  const summaryId = useId();
  const maxCount = Math.max(0, ...cells.flat().map((count) => count ?? 0));
  const countAt = ([day, hour]: Cell): number | null => cells[day]?.[hour] ?? null;
  const moveTo = ([day, hour]: Cell): void => {
    const nextCell: Cell = [Math.min(Math.max(day, 0), 6), Math.min(Math.max(hour, 0), 23)];
    setActiveCell(nextCell);
    announce(`${weekHourName(...nextCell)}: ${countInWords(countAt(nextCell))}`);
  };
  const handleClick = (cell: Cell): void => {
    setActiveCell(cell);
    if (taps.opens(cell[0] * HOURS.length + cell[1]) && countAt(cell) !== null) onCell?.(...cell);
  };
  const handleKey = (event: KeyboardEvent): void => {
    const [day, hour] = activeCell ?? [0, -1];
    const cellByKey: Partial<Record<string, Cell>> = {
      ArrowLeft: [day, hour - 1],
      ArrowRight: [day, hour + 1],
      ArrowUp: [day - 1, Math.max(hour, 0)],
      ArrowDown: [activeCell ? day + 1 : 0, Math.max(hour, 0)],
      Home: [day, 0],
      End: [day, 23],
    };
    const target = cellByKey[event.key];
    if (target) moveTo(target);
    else if (event.key === "Enter" && activeCell && onCell && countAt(activeCell) !== null) onCell(...activeCell);
    else if (event.key === "Escape" && activeCell) setActiveCell(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // The application role lets arrow keys through to the cells.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={styles.heat}
      role="application"
      aria-roledescription="chart"
      aria-label={title}
      aria-describedby={summaryId}
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      data-asks={onCell ? true : undefined}
      onKeyDown={handleKey}
      onBlur={() => setActiveCell(null)}
      {...taps.handlers}
      onPointerLeave={() => setActiveCell(null)}
    >
      {DAYS.map((name, day) => (
        <div key={name} data-day>
          <span aria-hidden="true">{name}</span>
          {HOURS.map((hour) => (
            <HourCell
              key={hour}
              cell={[day, hour]}
              count={countAt([day, hour])}
              maxCount={maxCount}
              isActive={isSameCell(activeCell, [day, hour])}
              isOpen={isSameCell(openCell, [day, hour])}
              onEnter={setActiveCell}
              onClick={handleClick}
            />
          ))}
        </div>
      ))}
      <div data-hours aria-hidden="true">
        <span />
        {HOURS.filter((hour) => hour % LABEL_STEP === 0).map((hour) => (
          <span key={hour}>{hourName(hour)}</span>
        ))}
      </div>
      {activeCell && (
        <output className={styles.tooltip} aria-hidden="true" style={tooltipPosition(activeCell)}>
          {weekHourName(...activeCell)} <b>{countInWords(countAt(activeCell))}</b>
        </output>
      )}
      <p className={styles.summary} id={summaryId}>
        {summaryOf(cells, maxCount)}
      </p>
    </div>
  );
}

interface HourCellProps {
  cell: Cell;
  count: number | null;
  maxCount: number;
  isActive: boolean;
  isOpen: boolean;
  onEnter: (cell: Cell) => void;
  onClick: (cell: Cell) => void;
}

const isSameCell = (cell: Cell | null | undefined, [day, hour]: Cell): boolean => cell?.[0] === day && cell[1] === hour;

/** One hour; keys reach it through the grid. */
function HourCell({ cell, count, maxCount, isActive, isOpen, onEnter, onClick }: HourCellProps): ReactNode {
  return (
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <i
      data-here={isActive || undefined}
      data-open={isOpen || undefined}
      data-outside={count === null || undefined}
      style={count === null ? undefined : rampColors(shadeOfCount(count, maxCount))}
      onPointerEnter={() => onEnter(cell)}
      onClick={() => onClick(cell)}
    />
  );
}

function tooltipPosition([day, hour]: Cell): React.CSSProperties {
  const horizontal = hour < 12 ? { left: `calc(34px + (100% - 34px) * ${(hour + 1) / 24} + 4px)` } : { right: `calc((100% - 34px) * ${(24 - hour) / 24} + 4px)` };
  return { ...horizontal, top: `calc((100% - 22px) * ${day / 7})` };
}

const countInWords = (count: number | null): string => (count === null ? "outside the time range" : formatExact(count));

function summaryOf(cells: HeatGridProps["cells"], maxCount: number): string {
  if (maxCount === 0) return "No events in this time range.";
  const day = cells.findIndex((row) => row.includes(maxCount));
  const total = cells.flat().reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return `${formatExact(total)} in total. Peak: ${formatExact(maxCount)} on ${weekHourName(day, cells[day]?.indexOf(maxCount) ?? 0)}.`;
}
