import { expect, test } from "vitest";
import { EMPTY_PICTURE, type Picture, type Series, addressOf, altOf, colorOf, colorOfNext, uniqueName, halvePoints, thinOut, refusalOf } from "./picture.ts";

const PALETTE = ["#2f72f4", "#da7817", "#2ba561"];
const one = (key: number, name: string, color: Series["color"] = null, points = [{ x: 1, y: 2 }]): Series => ({ key, name, color, points });
const picture = (change: Partial<Picture>): Picture => ({ ...EMPTY_PICTURE, series: [one(1, "Teapot"), one(2, "Umbrella")], ...change });
const query = (address: string) => new URL(address, "http://here.invalid").searchParams;

test("an address has the points of all series in their order", () => {
  const address = addressOf(picture({ title: "Servers (all)" }));
  expect(address.startsWith("/custom/graph.svg?theme=auto&name=Servers%20%28all%29&width=860&height=360&data_points=")).toBe(true);
  expect(JSON.parse(query(address).get("data_points") ?? "")).toEqual([{ id: "Teapot", x: 1, y: 2 }, { id: "Umbrella", x: 1, y: 2 }]);
  expect(address).not.toMatch(/[()'!* <>"]/);
});

test("the theme gives the colors, unless one is chosen; then those before it are named, too", () => {
  expect(query(addressOf(picture({}))).getAll("color")).toEqual([]);
  const series = [one(1, "a"), one(2, "b", "#aa00bb"), one(3, "c")];
  expect(query(addressOf(picture({ series }))).getAll("color")).toEqual(["1", "aa00bb"]);
  expect(series.map(({ key }) => colorOf(series, key, PALETTE))).toEqual(["#2f72f4", "#aa00bb", "#2ba561"]);
});

test("a color that belongs to a value is one of the theme, and the next series takes another", () => {
  const series = [one(1, "a", 3), one(2, "b")];
  expect(query(addressOf(picture({ series }))).getAll("color")).toEqual(["3"]);
  expect(series.map(({ key }) => colorOf(series, key, PALETTE))).toEqual([PALETTE[2], PALETTE[1]]);
  expect([colorOfNext(series), colorOfNext([one(1, "a"), one(2, "b", "#aa00bb")])]).toEqual([1, null]);
});

test("a series without points takes no color from those after it", () => {
  const series = [one(1, "a", null, []), one(2, "b")];
  expect(colorOf(series, 2, PALETTE)).toBe("#2f72f4");
});

test("a PNG may be drawn at twice the size, on no ground", () => {
  const address = addressOf(picture({ file: "png2", background: "transparent", fill: false, theme: "dark" }));
  expect(address.startsWith("/custom/graph.png?")).toBe(true);
  expect([...query(address)].filter(([name]) => ["scale", "background", "fill", "theme"].includes(name))).toEqual([
    ["theme", "dark"], ["scale", "2"], ["fill", "false"], ["background", "transparent"],
  ]);
});

test.each<[string, Partial<Picture>, string | null]>([
  ["two lines", {}, null],
  ["nothing", { series: [] }, "Add a series"],
  ["a narrow one", { width: "15" }, "from 16 to 2000"],
  ["a half one", { height: "20.5" }, "from 16 to 2000"],
  ["a huge PNG", { width: "2000", height: "2000", file: "png2" }, "pixels"],
  ["two of a name", { series: [one(1, "a"), one(2, "a")] }, "same name"],
  ["a long one", { series: [one(1, "a", null, Array.from({ length: 1_500 }, (_, x) => ({ x, y: x })))] }, "too long"],
])("of %s, it is known whether the server draws it", (_, change, why) => {
  const asked = picture(change);
  const said = refusalOf(asked, addressOf(asked));
  if (why === null) expect(said).toBeNull();
  else expect(said).toContain(why);
});

test("fewer points keep the first and the last", () => {
  const points = Array.from({ length: 91 }, (_, x) => ({ x, y: x }));
  expect(thinOut(points, 4).map(({ x }) => x)).toEqual([0, 30, 60, 90]);
  expect(thinOut(points, 100)).toBe(points);
  expect(halvePoints(picture({ series: [one(1, "a", null, points)] })).series[0]?.points).toHaveLength(46);
});

test("a new series gets a name of its own", () => {
  const series = [one(1, "a"), one(2, "b"), one(3, "c")];
  expect([uniqueName("a", series), uniqueName("d", series), uniqueName("a", [...series, one(4, "a 2")])]).toEqual(["a 2", "d", "a 3"]);
});

test("the words for those who do not see it name its lines", () => {
  expect(altOf(picture({ title: " Servers " }))).toBe("Servers: Teapot, Umbrella");
  expect(altOf(picture({}))).toBe("Teapot, Umbrella");
  expect(altOf(picture({ title: "Servers", series: [] }))).toBe("Servers");
});

test("half a surrogate pair does not break the address", () => {
  expect(query(addressOf(picture({ title: "bad\ud83d" }))).get("name")).toBe("bad\ufffd");
});

test.each(["1e3", "0x40", " 860", "", "15", "2001"])("%j is no width that the server takes", (width) => {
  const asked = picture({ width });
  expect(refusalOf(asked, addressOf(asked))).toContain("whole numbers");
});
