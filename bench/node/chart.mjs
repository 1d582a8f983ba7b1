// Chart.js on @napi-rs/canvas: what a Node service would answer POST /custom/render.png with.
//
// Each line of standard input is {"way", "file", "folder"?}: each line of `file` is the body of a request, which becomes
// a PNG. It answers a line of {"cpu_ms", "wall_ms", "bytes"} for all of them; in `folder` they stay as 0.png and so on.

import { createCanvas, GlobalFonts } from '@napi-rs/canvas';
import { Chart } from 'chart.js/auto';
import 'chartjs-adapter-date-fns';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [fonts] = process.argv.slice(2);
for (const weight of ['Regular', 'SemiBold']) {
  GlobalFonts.registerFromPath(join(fonts, `Inter-${weight}.ttf`), 'Inter');
}
Chart.defaults.font.family = 'Inter';
Chart.defaults.font.size = 12;

const DAY = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

// Chart.js as its guide shows it, with a time axis and a marker at each point; the same without markers; and what its
// page on performance tells one to do besides: no parsing, sorted data, decimation, an axis that only counts.
const WAYS = {
  usual: { options: {}, x: { type: 'time' } },
  unmarked: { options: { elements: { point: { radius: 0 } } }, x: { type: 'time' } },
  advised: {
    options: {
      elements: { point: { radius: 0 } },
      parsing: false,
      normalized: true,
      spanGaps: true,
      plugins: { decimation: { enabled: true, algorithm: 'min-max' } },
    },
    x: { type: 'linear', bounds: 'data', ticks: { maxRotation: 0, callback: (ms) => DAY.format(ms) } },
  },
};

const THEMES = {
  light: { background: '#ffffff', words: Chart.defaults.color, lines: Chart.defaults.borderColor },
  dark: { background: '#17171b', words: '#ececf1', lines: 'rgba(255, 255, 255, 0.1)' },
};

const painted = {
  id: 'painted',
  beforeDraw: ({ ctx, width, height }, _, { color }) => {
    ctx.fillStyle = color;
    ctx.fillRect(0, 0, width, height);
  },
};

/** The PNG of the body of a request. */
function png(body, way) {
  const sent = JSON.parse(body);
  const series = new Map();
  for (const { id, x, y } of sent.data_points) {
    const points = series.get(id);
    if (points) points.push({ x: x * 1000, y });
    else series.set(id, [{ x: x * 1000, y }]);
  }
  const datasets = [...series].map(([label, data], at) => {
    const own = sent.colors?.[at] ? { borderColor: sent.colors[at], backgroundColor: `${sent.colors[at].slice(0, 7)}40` } : {};
    return { label, data, fill: sent.fill ?? false, ...own };
  });
  const theme = THEMES[sent.theme] ?? THEMES.light;
  const { options, x } = WAYS[way];
  const axis = { grid: { color: theme.lines }, ticks: { color: theme.words } };
  const canvas = createCanvas(sent.width ?? 1000, sent.height ?? 400);
  const chart = new Chart(canvas.getContext('2d'), {
    type: 'line',
    data: { datasets },
    plugins: [painted],
    options: {
      ...options,
      animation: false,
      responsive: false,
      devicePixelRatio: 1,
      color: theme.words,
      scales: { x: { ...x, grid: axis.grid, ticks: { ...axis.ticks, ...x.ticks } }, y: axis },
      plugins: {
        ...options.plugins,
        title: { display: Boolean(sent.name), text: sent.name, color: theme.words },
        painted: { color: sent.background ?? theme.background },
      },
    },
  });
  const made = canvas.toBuffer('image/png');
  chart.destroy();
  return made;
}

/** What is shown in place of a picture that Chart.js refuses to draw. */
function refused(error) {
  const canvas = createCanvas(480, 240);
  const ctx = canvas.getContext('2d');
  ctx.font = '14px Inter';
  ctx.fillText(String(error), 20, 120);
  return canvas.toBuffer('image/png');
}

function pngOrRefusal(body, way) {
  try {
    return png(body, way);
  } catch (error) {
    return refused(error);
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  const { way, file, folder } = JSON.parse(line);
  const bodies = readFileSync(file, 'utf8').trimEnd().split('\n');
  const cpu = process.cpuUsage();
  const started = performance.now();
  const pictures = bodies.map((body) => (folder ? pngOrRefusal(body, way) : png(body, way)));
  const wall_ms = performance.now() - started;
  const { user, system } = process.cpuUsage(cpu);
  if (folder) pictures.forEach((picture, at) => writeFileSync(join(folder, `${at}.png`), picture));
  const bytes = pictures.reduce((sum, picture) => sum + picture.length, 0);
  console.log(JSON.stringify({ cpu_ms: (user + system) / 1000, wall_ms, bytes }));
}
