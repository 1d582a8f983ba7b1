import { describe, expect, test } from "vitest";
import { clusterMarks } from "./clusters.ts";
import { decimate } from "./decimate.ts";
import { areaPath, barPath, layerPath, linePath } from "./path.ts";
import { extent, partInWords, partialBucketsOf, type Mark, type TimeLine, wholeValuesOf } from "./series.ts";
import { stackSeries } from "./stack.ts";
import { summaryOf, trendOf } from "./summary.ts";

const places = { x: (position: number) => position * 10, y: (value: number) => 100 - value };

describe("lines", () => {
  test("a null is a gap, and a lone point a dot", () => {
    expect(linePath([1, 2, null, 3, null, 4, 5], [0, 1, 2, 3, 4, 5, 6], places)).toBe("M0 99L10 98M30 97h.01M50 96L60 95");
  });

  test("no line leads to a bucket that is cut or not over", () => {
    const whole = wholeValuesOf([1, 2, 3, 4], new Set([0, 3]));
    expect(whole).toEqual([null, 2, 3, null]);
    expect(linePath(whole, [0, 1, 2, 3], places)).toBe("M10 98L20 97");
  });

  test("the first bucket is partial, another one holds what came so far, and a lone one too", () => {
    const of = (count: number, partial: number[]): TimeLine => ({ times: [...Array(count).keys()], series: [], partialBuckets: new Set(partial) });
    expect([0, 1, 2].map((bucket) => partInWords(of(3, [0, 2]), bucket))).toEqual([", partial", "", ", so far"]);
    expect(partInWords(of(1, [0]), 0)).toBe(", so far");
    expect([...partialBucketsOf([{ partial: true }, {}, { partial: true }])]).toEqual([0, 2]);
  });

  test("areas stand on zero", () => {
    expect(areaPath([1, 2], [0, 1], places)).toBe("M0 99L10 98L10 100L0 100Z");
  });
});

describe("stacks", () => {
  test("negative values are stacked downwards", () => {
    const [first, second] = stackSeries([
      [1, -1, null],
      [2, -2, 3],
    ]);
    expect(first).toEqual({ inner: [0, 0, 0], outer: [1, -1, null] });
    expect(second).toEqual({ inner: [1, -1, 0], outer: [3, -3, 3] });
  });

  test("a layer lies between its two ends", () => {
    expect(layerPath([2, 3], [0, 1], [0, 1], places)).toBe("M0 98L10 97L10 99L0 100Z");
  });

  test("a layer has a gap where its series has no value", () => {
    expect(layerPath([2, 3, null, 4, 5], [0, 1, 1, 0, 0], [0, 1, 2, 3, 4], places)).toBe("M0 98L10 97L10 99L0 100ZM30 96L40 95L40 100L30 100Z");
    expect(layerPath([2, null, 3], [0, 0, 0], [0, 1, 2], places)).toBe("");
  });

  test("only the outermost bar has round corners, whichever way it points", () => {
    expect(barPath(0, 10, 100, 60, false)).toBe("M0 100V60H10V100Z");
    expect(barPath(0, 10, 100, 60, true)).toBe("M0 100V62Q0 60 2 60H8Q10 60 10 62V100Z");
    expect(barPath(0, 10, 100, 140, true)).toBe("M0 100V138Q0 140 2 140H8Q10 140 10 138V100Z");
    expect(barPath(0, 10, 100, 100, true)).toBe("");
  });
});

describe("decimation", () => {
  const many = Array.from({ length: 50_000 }, (_, index) => (index === 25_001 ? 1_000 : index === 25_003 ? -1_000 : index % 7));
  const share = (position: number): number => position / many.length;

  test("extremes stay, and there are at most two points for a column", () => {
    const kept = decimate(many, 500, share);
    expect(kept.length).toBeLessThanOrEqual(1_002);
    expect(kept).toEqual(expect.arrayContaining([0, 25_001, 25_003, many.length - 1]));
    expect(kept).toEqual([...kept].sort((left, right) => left - right));
  });

  test("a gap stays a gap", () => {
    const holed = many.map((value, index) => (index > 10_000 && index < 20_000 ? null : value));
    const kept = decimate(holed, 500, share);
    expect(kept.filter((at) => holed[at] === null)).toHaveLength(1);
  });

  test("few points are all seen", () => {
    expect(decimate([1, null, 3], 500, share)).toEqual([0, 1, 2]);
  });
});

describe("annotations", () => {
  const mark = (id: string, time: number): Mark => ({ id, label: id, description: null, color: "#000", time, timeEnd: null });
  const place = (time: number): number | null => (time < 0 || time > 500 ? null : time);

  test("those nearer than 24 px are one, those outside the plot none", () => {
    const found = clusterMarks([mark("c", 200), mark("a", 100), mark("b", 123), mark("d", 900)], place, 500);
    expect(found.map(({ marks, label }) => [label, marks.map(({ id }) => id)])).toEqual([
      ["2 annotations", ["a", "b"]],
      ["c", ["c"]],
    ]);
  });

  test("a cluster takes up what its count would cover", () => {
    const many = Array.from({ length: 100 }, (_, index) => mark(`m${index}`, index * 5));
    const found = clusterMarks(many, place, 500);
    expect(found.map(({ x }) => x)).toEqual([0, 45, 90, 135, 180, 225, 270, 315, 360, 405, 450, 495]);
  });

  test("24 px are not nearer than 24 px: each is a target of its own", () => {
    expect(clusterMarks([mark("a", 100), mark("b", 124)], place, 500)).toHaveLength(2);
  });

  test("marks count what they stand for", () => {
    const ofIncidents = [
      { ...mark("a", 100), count: 3, plural: "incidents" },
      { ...mark("b", 120), count: 2, plural: "incidents" },
      { ...mark("c", 300), count: 4, plural: "incidents" },
    ];
    expect(clusterMarks(ofIncidents, place, 500).map(({ count, label, isLabelled }) => [count, label, isLabelled])).toEqual([
      [5, "5 incidents", false],
      [4, "4 incidents", false],
    ]);
  });

  test("a label at an edge takes its room within the plot", () => {
    const at = (places: Record<string, number>) => clusterMarks(Object.entries(places).map(([id, time]) => mark(id, time)), place, 500);
    const edges = at({ "a long label": 10, near: 70, far: 300, "another label": 495 });
    expect(edges.map(({ isLabelled, edge }) => [isLabelled, edge])).toEqual([
      [false, undefined],
      [true, undefined],
      [true, undefined],
      [true, "end"],
    ]);
    expect(at({ "a long label": 10, far: 300 }).map(({ edge }) => edge)).toEqual(["start", undefined]);
  });

  test("wide letters take more room, and no label leads out of the plot", () => {
    expect(clusterMarks([mark("WWWWWWWW", 100), mark("v", 165)], place, 500)[0]?.isLabelled).toBe(false);
    expect(clusterMarks([mark("iiiiiiii", 100), mark("v", 165)], place, 500)[0]?.isLabelled).toBe(true);
    expect(clusterMarks([mark("m".repeat(80), 250)], place, 500)[0]?.isLabelled).toBe(false);
  });

  test("a label that would cover its neighbour is left out", () => {
    const found = clusterMarks([mark("a long label", 100), mark("v4", 140), mark("far", 400)], place, 500);
    expect(found.map(({ isLabelled }) => isLabelled)).toEqual([false, true, true]);
  });
});

describe("the summary", () => {
  const line = (values: (number | null)[], partialBucket?: number): TimeLine => ({
    times: values.map((_, index) => index),
    series: [{ name: "Plays", values, total: null }],
    partialBuckets: new Set(partialBucket === undefined ? [] : [partialBucket]),
  });
  const day = (at: number): string => `day ${at}`;

  test("tells range, latest, minimum, maximum and trend", () => {
    expect(summaryOf(line([10, 4, 20, 1_200]), day)).toBe(
      "From day 0 to day 3. Plays: latest 1,200, minimum 4 on day 1, maximum 1,200 on day 3, rising to 87\u2009× from the first half to the second.",
    );
  });

  test("an unfinished bucket is told so and is no part of the extremes and the trend", () => {
    expect(summaryOf(line([10, 10, 10, 10, 1, null], 4), day)).toContain("latest 1 so far, minimum 10 on day 0, maximum 10 on day 0, steady");
    expect(summaryOf(line([3], 0), day)).toBe("day 0. Plays: latest 3 so far.");
  });

  test("no values and no moments", () => {
    expect(summaryOf(line([null]), day)).toBe("day 0. Plays: no values.");
    expect(summaryOf(line([]), day)).toBe("No data in this time range.");
  });

  test("the trend compares the two halves", () => {
    expect([trendOf([4, 4, 2, 2]), trendOf([0, 0, 1, 1]), trendOf([100, 100, 104, 104]), trendOf([1, 2, 3]), trendOf([-7, -7, -4, -4])]).toEqual([
      "falling by 50.0\u2009% from the first half to the second",
      "rising",
      "steady",
      "",
      "rising by 3 from the first half to the second",
    ]);
  });
});

test("the extent of many values leaves out nulls", () => {
  expect(extent([[1, null], [-3, 2]])).toEqual([-3, 2]);
  expect(extent([[null], []])).toBeNull();
});
