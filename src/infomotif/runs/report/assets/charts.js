const CHART = { width: 380, height: 225, left: 46, right: 22, top: 10, bottom: 36 };

function ticks(low, high, count = 5) {
  const span = high - low || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => span / s <= count) || 10 * power;
  const values = [];
  for (let value = Math.ceil(low / step - 1e-9) * step; value <= high + step * 1e-6; value += step)
    values.push(Math.abs(value) < step * 1e-9 ? 0 : value);
  return values;
}
function frame(label, x, y) {
  const { width, height, left, right, top, bottom } = CHART;
  const sx = (v) => left + ((v - x.min) / (x.max - x.min || 1)) * (width - left - right);
  const sy = (v) => height - bottom - ((v - y.min) / (y.max - y.min || 1)) * (height - top - bottom);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": label });
  for (const value of ticks(y.min, y.max)) {
    drawing.append(
      svg("line", { x1: left, x2: width - right, y1: sy(value), y2: sy(value), class: "axis" }),
      svg("text", { x: left - 6, y: sy(value) + 4, "text-anchor": "end", class: "tick" }, y.format(value)),
    );
  }
  for (const [value, text] of x.labels || ticks(x.min, x.max, 6).map((v) => [v, x.format ? x.format(v) : v])) {
    drawing.append(
      svg("text", { x: sx(value), y: height - bottom + 15, "text-anchor": "middle", class: "tick" }, text),
    );
  }
  drawing.append(
    svg(
      "text",
      { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle", class: "tick" },
      x.title || "",
    ),
  );
  return { drawing, sx, sy };
}
function legend(entries) {
  return el(
    "ul",
    { class: "legend" },
    entries.map(([name, style, dashed]) =>
      el(
        "li",
        {},
        svg(
          "svg",
          { viewBox: "0 0 14 14", "aria-hidden": "true" },
          svg("line", { x1: 0, x2: 14, y1: 7, y2: 7, class: `curve ${style}${dashed ? " dashed" : ""}` }),
        ),
        name,
      ),
    ),
  );
}
function lineChart({ label, series, x, y, diagonal }) {
  const { drawing, sx, sy } = frame(label, x, y);
  if (diagonal)
    drawing.append(svg("line", { x1: sx(0), y1: sy(0), x2: sx(1), y2: sy(1), class: "curve s-base dashed faint" }));
  for (const line of series) {
    const known = line.points.filter(([, value]) => value !== null);
    const shift = line.shift || 0;
    (line.whiskers || []).forEach((half, i) => {
      const at = sx(known[i][0]) + shift;
      drawing.append(
        svg("line", {
          x1: at,
          x2: at,
          y1: sy(known[i][1] - half),
          y2: sy(known[i][1] + half),
          class: `whisker ${line.style}`,
        }),
      );
    });
    const corner = ([a, b]) => `${(sx(a) + shift).toFixed(1)} ${sy(Math.min(b, y.max)).toFixed(1)}`;
    if (known.length > 1)
      drawing.append(svg("path", { d: `M${known.map(corner).join("L")}`, class: `curve ${line.style}` }));
    if (line.dots || known.length === 1)
      for (const [a, b] of known)
        drawing.append(svg("circle", { cx: sx(a) + shift, cy: sy(b), r: 3.5, class: line.fill }));
  }
  return drawing;
}
function groupedBars({ label, groups, series, y }) {
  const { drawing, sx, sy } = frame(
    label,
    { min: 0, max: groups.length, labels: groups.map((g, i) => [i + 0.5, g.name]), title: "" },
    y,
  );
  const each = 0.72 / series.length;
  groups.forEach((group, i) =>
    series.forEach((s, k) => {
      const value = group[s.key];
      if (value === undefined || value === null) return;
      const left = sx(i + 0.14 + k * each),
        right = sx(i + 0.14 + (k + 1) * each);
      drawing.append(
        svg("rect", {
          x: left + 1,
          width: Math.max(1, right - left - 2),
          y: sy(value),
          height: Math.max(0, sy(y.min) - sy(value)),
          class: s.fill,
          rx: 2,
        }),
        svg(
          "text",
          { x: (left + right) / 2, y: sy(value) - 4, "text-anchor": "middle", class: "tick" },
          (100 * value).toFixed(1),
        ),
      );
    }),
  );
  return drawing;
}

// Series of the two models: their order, their colours, and an axis for shares.
const percentAxis = (min = 0, max = 1) => ({ min, max, format: (v) => `${Math.round(100 * v)} %` });
const seriesOf = (quality) => ["base", "infomotif"].filter((key) => key in quality.accuracy);
const STYLE = { infomotif: ["s-ours", "f-ours"], base: ["s-base", "f-base"] };
