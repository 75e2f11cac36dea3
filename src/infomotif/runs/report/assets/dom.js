// Elements are made of text nodes only: whatever a name holds, it is shown as it is.
const data = JSON.parse(document.getElementById("data").textContent);
const nodes = data.nodes;
const SVG = "http://www.w3.org/2000/svg";

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return element;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const whole = (value) => Math.round(value).toLocaleString("en");
const percent = (value, digits = 1) =>
  value === null || value === undefined ? "–" : `${(100 * value).toFixed(digits)} %`;
const points = (value) => `${value >= 0 ? "+" : "−"}${Math.abs(100 * value).toFixed(1)}`;
const shownNumber = (value) =>
  value.toLocaleString("en", Number.isInteger(value) ? {} : { maximumSignificantDigits: 4 });
const maxOf = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);
const minOf = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
const short = (text, size = 16) => (text.length > size ? `${text.slice(0, size - 1)}…` : text);
// An option such as --splits stays on one line.
const unbroken = (text) =>
  String(text)
    .split(/(--\w+)/)
    .map((part, i) => (i % 2 ? el("code", {}, part) : part));
const plural = (count, word) => `${whole(count)} ${word}${count === 1 ? "" : "s"}`;

const PARTS = ["not in the split", "training", "validation", "test"];
const COLOURS = 7;
// Nodes of types without labels are groups after the classes.
const groupNames = [...data.classes, ...data.graph.unlabelled_types];
const className = (number) => (number < 0 ? "no label" : groupNames[number]);
const classed = (v) => nodes.predicted[v] < data.classes.length;
const tone = (number) => (number < 0 ? "f-none" : `f${number % COLOURS}`);
const encoder = data.run.plan.encoder === "auto" ? "GCN" : String(data.run.plan.encoder).toUpperCase();
const chosen = data.run.choice;
const voters = chosen ? chosen.members.filter((m) => m.weight > 0) : [];
const hasBase = data.run.trainings.some((t) => t.model === "base");
const ours = chosen
  ? voters.length > 1
    ? `Mean of ${voters.length} models`
    : chosen.name
  : data.run.settings.regularize
    ? `InfoMotif-${encoder}`
    : `${encoder} (once more)`;
// The models of the first split, and the name of ours over all splits.
const MODELS = { infomotif: ours, base: encoder };
const overall = chosen && data.run.plan.splits > 1 ? "auto" : ours;

// Categories differ by shape as well as by colour.
function shapePath(number, x, y, r) {
  const kind = number < 0 ? 0 : number % 4;
  if (kind === 1) return `M${x - r * 0.89} ${y - r * 0.89}h${r * 1.78}v${r * 1.78}h${-r * 1.78}z`;
  if (kind === 2) return `M${x} ${y - r * 1.2}L${x + r * 1.1} ${y + r * 0.85}H${x - r * 1.1}z`;
  if (kind === 3) return `M${x} ${y - r * 1.3}L${x + r * 1.3} ${y}L${x} ${y + r * 1.3}L${x - r * 1.3} ${y}z`;
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
}
const sign = (number) =>
  svg(
    "svg",
    { viewBox: "0 0 14 14", class: "sign", "aria-hidden": "true" },
    svg("path", { d: shapePath(number, 7, 7, 5), class: tone(number) }),
  );

function setShare(element, value) {
  element.style.setProperty("--share", String(Math.max(0, Math.min(100, value))));
  return element;
}
function table(headers, rows, attributes) {
  const cell = (tag, value, i, numeric) =>
    value instanceof Node && /^T[HD]$/.test(value.tagName)
      ? value
      : el(tag, { class: numeric ? "num" : null, scope: tag === "th" ? "col" : null }, value);
  const numeric = headers.map(
    (_, i) =>
      rows.length > 0 &&
      rows.every((row) => typeof row[i] === "number" || /^[−+\-–]?[\d.,]*( %)?$/.test(String(row[i] ?? ""))),
  );
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": (attributes && attributes.label) || "Table" },
    el(
      "table",
      { class: attributes && attributes.class },
      el(
        "thead",
        {},
        el(
          "tr",
          {},
          headers.map((h, i) => cell("th", h, i, numeric[i])),
        ),
      ),
      el(
        "tbody",
        {},
        rows.map((row) =>
          el(
            "tr",
            {},
            row.map((value, i) => cell("td", typeof value === "number" ? shownNumber(value) : value, i, numeric[i])),
          ),
        ),
      ),
    ),
  );
}
function picture(motif) {
  const parsed = new DOMParser().parseFromString(motif.svg, "image/svg+xml").documentElement;
  return el("span", { class: "motif" }, document.importNode(parsed, true));
}
function figure(title, drawing, caption, headers, rows) {
  return el(
    "figure",
    {},
    el("h3", {}, title),
    drawing,
    caption ? el("figcaption", {}, caption) : null,
    headers ? el("details", {}, el("summary", {}, "Show as a table"), table(headers, rows, { label: title })) : null,
  );
}
function bars(rows, marked) {
  return el(
    "div",
    { class: "bars" },
    rows.map(([name, value, text, mark, kind]) => [
      el("span", {}, name),
      el(
        "span",
        { class: "track", "aria-hidden": "true" },
        setShare(el("span", { class: kind === "base" ? "fill base" : "fill" }), 100 * value),
        mark === undefined ? null : setShare(el("span", { class: "mark", title: marked }), 100 * mark),
      ),
      el("span", {}, text),
    ]),
  );
}
