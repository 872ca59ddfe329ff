// Draws a line chart as SVG that follows the page's light or dark colour scheme.

const SIZE = { width: 640, height: 450 };
const PLOT = { left: 64, top: 48, right: 608, bottom: 332 };
/** Blue, orange, green, purple and grey from Okabe and Ito's palette, lighter in dark mode. Dashes distinguish the lines without colour. */
const LINES = [
  { light: "#0072b2", dark: "#56b4e9", dashes: "none" },
  { light: "#b34700", dark: "#e69f00", dashes: "7 3" },
  { light: "#00795a", dark: "#2fc79b", dashes: "2 3" },
  { light: "#a3447d", dark: "#e08fc0", dashes: "9 3 2 3" },
  { light: "#555555", dark: "#b0b0b0", dashes: "1 4" },
];

/**
 * @typedef {{ name: string, points: readonly { x: number, y: number, radius?: number }[] }} Series `radius`: draws a dot of this radius, in pixels
 *
 * @param {object} chart
 * @param {string} chart.title
 * @param {{ label: string, max: number, ticks?: readonly { at: number, name: string }[] }} chart.x axis from 0 to `max`, as fractions: 1 is shown as 100%,
 *   unless it has `ticks` of its own
 * @param {{ label: string, max: number, ticks?: readonly { at: number, name: string }[] }} chart.y as `x`
 * @param {readonly Series[]} chart.series at most five
 * @param {string} [chart.diagonal] name of the line x = y; omit to leave it out
 * @returns {string} an SVG document
 */
export function lineChart({ title, x, y, series, diagonal }) {
  const across = (value) => round(PLOT.left + (value / x.max) * (PLOT.right - PLOT.left));
  const up = (value) => round(PLOT.bottom - (value / y.max) * (PLOT.bottom - PLOT.top));
  const parts = [
    `<text class="title" x="${PLOT.left}" y="28">${escaped(title)}</text>`,
    ...ticksOf(x).map(
      ({ at, name }) =>
        `<path class="grid" d="M${across(at)} ${PLOT.top}V${PLOT.bottom}"/><text x="${across(at)}" y="${PLOT.bottom + 18}" text-anchor="middle">${name}</text>`,
    ),
    ...ticksOf(y).map(
      ({ at, name }) =>
        `<path class="grid" d="M${PLOT.left} ${up(at)}H${PLOT.right}"/><text x="${PLOT.left - 8}" y="${up(at) + 4}" text-anchor="end">${name}</text>`,
    ),
    `<path class="axis" d="M${PLOT.left} ${PLOT.top}V${PLOT.bottom}H${PLOT.right}"/>`,
    `<text x="${(PLOT.left + PLOT.right) / 2}" y="${PLOT.bottom + 38}" text-anchor="middle">${escaped(x.label)}</text>`,
    `<text transform="translate(16 ${(PLOT.top + PLOT.bottom) / 2}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>`,
    ...(diagonal ? [`<path class="diagonal" d="M${across(0)} ${up(0)}L${across(1)} ${up(1)}"/>`] : []),
    ...series.map(({ points }, i) => line(i, points, across, up)),
    ...legend([
      ...series.map(({ name }, i) => ({ name, style: `line line-${i}` })),
      ...(diagonal ? [{ name: diagonal, style: "diagonal" }] : []),
    ]),
  ];
  const { width, height } = SIZE;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>${STYLE}</style>
<rect class="page" width="${width}" height="${height}"/>
${parts.join("\n")}
</svg>
`;
}

function line(i, points, across, up) {
  const path = points.map((point, at) => `${at === 0 ? "M" : "L"}${across(point.x)} ${up(point.y)}`).join("");
  const dots = points
    .filter(({ radius }) => radius !== undefined)
    .map((point) => `<circle class="dot-${i}" cx="${across(point.x)}" cy="${up(point.y)}" r="${round(point.radius)}"/>`);
  return [`<path class="line line-${i}" d="${path}"/>`, ...dots].join("");
}

function legend(entries) {
  const columns = 2;
  return entries.map(({ name, style }, i) => {
    const left = PLOT.left + (i % columns) * 280;
    const top = PLOT.bottom + 62 + Math.floor(i / columns) * 20;
    return `<path class="${style}" d="M${left} ${top}h36"/><text x="${left + 44}" y="${top + 4}">${escaped(name)}</text>`;
  });
}

/** An axis's own ticks, or percentages. */
function ticksOf({ max, ticks }) {
  if (ticks) return ticks;
  const step = max > 0.5 ? 0.2 : 0.1;
  const places = Array.from({ length: Math.round(max / step) + 1 }, (_, i) => i * step).filter((at) => at <= max + 1e-9);
  return places.map((at) => ({ at, name: percent(at) }));
}

const colours = (shade) => LINES.map((line, i) => `.line-${i}{stroke:${line[shade]}}.dot-${i}{fill:${line[shade]}}`).join("");

const STYLE = `text{font:13px system-ui,sans-serif;fill:#333}.title{font-size:16px;font-weight:600}.page{fill:#fff}
.grid{stroke:#e4e4e4;fill:none}.axis{stroke:#777;fill:none}.diagonal{stroke:#888;stroke-dasharray:3 4;fill:none}.line{fill:none;stroke-width:2}
${LINES.map(({ dashes }, i) => `.line-${i}{stroke-dasharray:${dashes}}`).join("")}
${colours("light")}
@media (prefers-color-scheme:dark){text{fill:#d6d6d6}.page{fill:#161616}.grid{stroke:#333}.axis{stroke:#999}${colours("dark")}}`;

const round = (value) => Math.round(value * 10) / 10;
const percent = (share) => `${Math.round(share * 100)}%`;
const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
