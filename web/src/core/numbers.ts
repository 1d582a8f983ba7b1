const MINUS = "\u2212";
const PERCENT = "\u2009%";
const UNITS: readonly (readonly [number, string])[] = [[1e12, "T"], [1e9, "B"], [1e6, "M"], [1e3, "k"]];
const LARGEST = 1e15;
const SMALLEST = 1e-4;
const LARGEST_WRITTEN_OUT = 1e18;
const SMALLEST_WRITTEN_OUT = 1e-3;
const LEAST_STEP_SHARE = 1e-5;
const MAX_DECIMALS = 20;
const MAX_DIGITS = 16;
const FEW_APART = 4;
const MORE_DIGITS = 2;
const SHORT_DIGITS = 3;
const FEW_THOUSANDS = 10_000;
const MIN_OF_UNIT = 0.01;
const MAX_WRITTEN = 10_000_000;
/** What stands for a number where there is none. */
export const NO_VALUE = "\u2013";

/**
 * Write a value with at most three significant digits: `842`, `9,999`, `12.3k`, `1.94M`. Thousands are whole below ten
 * thousand; from there on they have a unit.
 */
export function formatShort(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size < SMALLEST || size >= LARGEST) return withExponent(value, SHORT_DIGITS - 1);
  if (isFewThousand(size)) return formatEven(value, 0);
  for (const [unit, letter] of UNITS) {
    if (size >= unit * 0.9995) return formatPlain(value / unit, SHORT_DIGITS - 1 - powerOf(Math.max(size / unit, 1))) + letter;
  }
  return formatPlain(value, SHORT_DIGITS - 1 - powerOf(size));
}

/** Write a value among others from `lowest` to `highest`: short, unless that would make most of them equal. */
export function formatAmong(value: number, lowest: number, highest: number): string {
  const extent = highest - lowest;
  const size = Math.max(Math.abs(lowest), Math.abs(highest));
  if (value === 0 || !(extent > 0 && extent < FEW_APART * minDistance(size))) return formatShort(value);
  const lastPower = powerOf(extent) - MORE_DIGITS;
  if (!hasExponents(extent, size)) return formatPlain(value, -lastPower);
  return withExponent(value, clamp(powerOf(Math.abs(value)) - lastPower, 0, MAX_DIGITS));
}

/**
 * Write a value of an axis with just the digits that tell it from its neighbours.
 *
 * @param step the distance to the next value
 * @param largest the largest absolute value on the axis, which decides how all of its values are written
 */
export function formatTick(value: number, step: number, largest: number): string {
  if (value === 0) return "0";
  if (hasExponents(step, largest)) {
    const extraDigits = isClose(value / step, Math.round(value / step)) ? 0 : 1;
    const digits = powerOf(Math.abs(value)) - powerOf(step) + decimalsOf(step)[1] + extraDigits;
    return withExponent(value, clamp(digits, 0, MAX_DIGITS));
  }
  for (const [unit, letter] of UNITS) {
    const isReadable = largest < FEW_THOUSANDS && step < unit;
    if (largest >= unit && step >= unit * MIN_OF_UNIT && !isReadable) {
      return formatEven(value / unit, decimalsOf(step / unit)[0]) + letter;
    }
  }
  return formatEven(value, decimalsOf(step)[0]);
}

/** Write a value that stands alone: every digit of a whole number below ten million, any other short; `–` for none. */
export function formatAlone(value: number | null): string {
  if (value === null) return NO_VALUE;
  return Math.abs(value) < MAX_WRITTEN && Number.isInteger(value) ? formatPlain(value, 0) : formatShort(value);
}

/**
 * Write every digit of a whole number, `12,345`, and of any other as many decimals as matter: two from 1 on, three
 * significant digits below. With `decimals`, every number has that many. `–` for none.
 */
export function formatExact(value: number | bigint | null, decimals?: number | null): string {
  if (value === null) return NO_VALUE;
  if (typeof value === "bigint") return withMinus(groupThousands(String(value)));
  const size = Math.abs(value);
  if (size >= 1e21 || (size > 0 && size < SMALLEST)) return formatShort(value);
  if (decimals !== undefined && decimals !== null) return formatEven(value, decimals);
  if (Number.isInteger(value)) return formatPlain(value, 0);
  return formatPlain(value, size >= 1 ? 2 : SHORT_DIGITS - 1 - powerOf(size));
}

/** What stands for a counter that was never sent. */
export const NOT_REPORTED = "not reported";

/** Write how many there are of something: `1 event`, `1,234 events`. */
export function countInWords(count: number, singular: string, plural = `${singular}s`): string {
  return `${formatExact(count)} ${count === 1 ? singular : plural}`;
}

/** Write a share without its sign and with one decimal: only nothing is 0 %, no part is 100 %. */
export function formatPercent(share: number): string {
  const size = Math.abs(share) * 100;
  if (size === 0 || size >= 100) return formatShort(size) + PERCENT;
  return (size >= 0.05 ? toFixedEven(Math.min(size, 99.9), 1) : "<0.1") + PERCENT;
}

/** Write a share from 0 to 1 without decimals and without the percent sign; only nothing is 0, only all of it is 100. */
export function formatWholePercent(share: number): string {
  const size = share * 100;
  if (size > 0 && size < 1) return "<1";
  return toFixedEven(size < 100 ? Math.min(size, 99) : size, 0);
}

/** Return the least distance at which values of this size still differ in short form. */
function minDistance(size: number): number {
  return isFewThousand(size) ? 1 : powerOfTen(Math.max(powerOf(size) - SHORT_DIGITS + 1, -300));
}

const isFewThousand = (size: number): boolean => Math.round(size) >= 1_000 && Math.round(size) < FEW_THOUSANDS;

/** Return true if values `step` apart, up to the size `largest`, are written with exponents. */
function hasExponents(step: number, largest: number): boolean {
  if (largest >= LARGEST) return largest >= LARGEST_WRITTEN_OUT || step >= largest * LEAST_STEP_SHARE;
  return step < SMALLEST && largest < SMALLEST_WRITTEN_OUT;
}

/** Return how many decimals a round step needs, and how many digits follow its first one. */
function decimalsOf(step: number): [number, number] {
  const firstPower = Math.floor(Math.log10(step) + 1e-9);
  const multiple = step / powerOfTen(firstPower);
  const extraDigits = isClose(multiple, Math.round(multiple)) ? 0 : 1;
  return [Math.max(extraDigits - firstPower, 0), extraDigits];
}

function formatPlain(value: number, decimals: number): string {
  const text = groupThousands(toFixedEven(value, clamp(decimals, 0, MAX_DECIMALS)));
  return withMinus(trimZeros(text) === "-0" ? "0" : trimZeros(text));
}

/** Write a value with so many decimals; what rounds to zero has no sign. */
function formatEven(value: number, decimals: number): string {
  const text = toFixedEven(value, Math.min(decimals, MAX_DECIMALS));
  return withMinus(groupThousands(/[1-9]/.test(text) ? text : text.replace("-", "")));
}

function withExponent(value: number, decimals: number): string {
  const [mantissa = "", exponent = ""] = value.toExponential(decimals).split("e");
  return withMinus(`${trimZeros(mantissa)}e${Number(exponent)}`);
}

/** Round to decimals as the server does: a tie goes to the even digit. */
export function toFixedEven(value: number, decimals: number): string {
  const text = value.toFixed(decimals);
  if (!Number.isInteger(value * 2 ** (decimals + 1))) return text;
  const longerText = value.toFixed(decimals + 1);
  if (!longerText.endsWith("5")) return text;
  const lowerText = longerText.slice(0, decimals === 0 ? -2 : -1);
  return "02468".includes(lowerText.slice(-1)) ? lowerText : text;
}

function groupThousands(text: string): string {
  const [integer = "", ...rest] = text.split(".");
  return [integer.replace(/\B(?=(?:\d{3})+$)/g, ","), ...rest].join(".");
}

const trimZeros = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

const withMinus = (text: string): string => text.replaceAll("-", MINUS);
/** Return a power of ten as the server has it; `10 ** -5` is a little less in some engines. */
export const powerOfTen = (power: number): number => Number(`1e${power}`);

const powerOf = (size: number): number => Math.floor(Math.log10(size));
const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);
const isClose = (left: number, right: number): boolean =>
  Math.abs(left - right) <= 1e-9 * Math.max(Math.abs(left), Math.abs(right));

/** Write a place in an order: `1st`, `2nd`, `13th`. */
export function ordinal(place: number): string {
  const isTeen = place % 100 > 10 && place % 100 < 20;
  return `${place}${isTeen ? "th" : (["th", "st", "nd", "rd"][place % 10] ?? "th")}`;
}
