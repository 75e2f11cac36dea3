const OUTCOMES = ["right", "wrong", `only ${MODELS.infomotif} right`, `only ${MODELS.base} right`];
function outcomeOf(v) {
  if (nodes.label[v] < 0) return -1;
  const ours = nodes.predicted[v] === nodes.label[v];
  if (!nodes.base) return ours ? 0 : 1;
  const base = nodes.base[v][0] === nodes.label[v];
  return ours === base ? (ours ? 0 : 1) : ours ? 2 : 3;
}
const dominant = (v) => (nodes.alpha ? nodes.alpha[v].indexOf(Math.max(...nodes.alpha[v])) : -1);
const groupTitle = data.graph.unlabelled_types.length ? "predicted class or type" : "predicted class";
const VIEWS = [
  ["predicted", groupTitle, (v) => nodes.predicted[v], () => groupNames],
  ["label", "class", (v) => nodes.label[v], () => data.classes],
  ["motif", "dominant motif", dominant, () => data.motifs.map((m) => `${m.name} ${m.title}`)],
  ["role", "role", (v) => nodes.role[v], () => data.roles.map((_, i) => `role ${i + 1}`)],
  ["outcome", "right or wrong", outcomeOf, () => OUTCOMES],
  ["part", "split", (v) => nodes.part[v] - 1, () => PARTS.slice(1)],
];

function mapSection() {
  const canvas = el("canvas", {
    tabindex: "0",
    role: "img",
    "aria-label":
      "Map of the nodes by their representations. Arrow keys move it, plus and minus zoom. " +
      "The table below lists the same nodes.",
  });
  const keys = el("ul", { class: "legend" });
  const options = VIEWS.filter(([key]) => (key !== "motif" || nodes.alpha) && (key !== "role" || data.roles.length));
  const choice = el(
    "select",
    { id: "colour" },
    options.map(([key, title]) => el("option", { value: key }, title)),
  );
  let scale = 1,
    panX = 0,
    panY = 0,
    only = null,
    view = options[0],
    screen = [],
    hovered = -1;
  const tip = document.getElementById("tip");
  const step = (factor) => {
    scale = Math.min(40, Math.max(1, scale * factor));
    if (scale === 1) panX = panY = 0;
    draw();
  };

  function draw() {
    const box = canvas.getBoundingClientRect();
    if (!box.width) return;
    const ratio = window.devicePixelRatio || 1;
    canvas.width = box.width * ratio;
    canvas.height = box.height * ratio;
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colours = Array.from({ length: COLOURS }, (_, i) => style.getPropertyValue(`--c${i}`).trim());
    const none = style.getPropertyValue("--none").trim(),
      ink = style.getPropertyValue("--ink").trim();
    const size = Math.min(box.width, box.height) - 24;
    const wide = box.width - 24,
      high = box.height - 24;
    const radius = Math.max(2, Math.min(6, (size / Math.sqrt(nodes.shown)) * 0.45)) * Math.min(2, Math.sqrt(scale));
    screen = new Float32Array(2 * nodes.shown);
    const faint = [],
      strong = [];
    for (let v = 0; v < nodes.shown; v++) {
      const x = 12 + wide / 2 + (nodes.x[v] / 10000 - 0.5) * wide * scale + panX;
      const y = 12 + high / 2 + (nodes.y[v] / 10000 - 0.5) * high * scale + panY;
      screen[2 * v] = x;
      screen[2 * v + 1] = y;
      (only === null || view[2](v) === only ? strong : faint).push(v);
    }
    const paint = (list, alpha) => {
      pen.globalAlpha = alpha;
      for (const v of list) {
        const group = view[2](v);
        pen.fillStyle = group < 0 ? none : colours[group % COLOURS];
        pen.fill(new Path2D(shapePath(group, screen[2 * v], screen[2 * v + 1], radius)));
      }
    };
    paint(faint, 0.08);
    paint(strong, 0.8);
    if (hovered >= 0) {
      pen.globalAlpha = 1;
      pen.strokeStyle = ink;
      pen.lineWidth = 2;
      pen.beginPath();
      pen.arc(screen[2 * hovered], screen[2 * hovered + 1], radius + 4, 0, 7);
      pen.stroke();
    }
  }
  function showKeys() {
    const names = view[3]();
    const present = new Map();
    for (let v = 0; v < nodes.shown; v++) present.set(view[2](v), (present.get(view[2](v)) || 0) + 1);
    const groups = [...present.keys()].sort((a, b) => (a < 0) - (b < 0) || a - b);
    keys.replaceChildren(
      ...groups.map((g) =>
        el(
          "li",
          {},
          el(
            "button",
            {
              type: "button",
              "aria-pressed": only === null || only === g ? "true" : "false",
              click: () => {
                only = only === g ? null : g;
                showKeys();
                draw();
              },
            },
            sign(g),
            `${g < 0 ? "none" : names[g]} (${whole(present.get(g))})`,
          ),
        ),
      ),
    );
  }
  function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const x = event.clientX - box.left,
      y = event.clientY - box.top;
    let best = -1,
      distance = 14 * 14;
    for (let v = 0; v < nodes.shown; v++) {
      const d = (screen[2 * v] - x) ** 2 + (screen[2 * v + 1] - y) ** 2;
      if (d < distance && (only === null || view[2](v) === only)) {
        best = v;
        distance = d;
      }
    }
    return best;
  }
  let dragging = null,
    moved = false;
  canvas.addEventListener("pointerdown", (event) => {
    dragging = [event.clientX - panX, event.clientY - panY];
    moved = false;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (dragging && event.buttons && scale > 1) {
      const x = event.clientX - dragging[0],
        y = event.clientY - dragging[1];
      if (Math.abs(x - panX) + Math.abs(y - panY) > 3) moved = true;
      panX = x;
      panY = y;
      tip.hidden = true;
      draw();
      return;
    }
    const v = nearest(event);
    if (v !== hovered) {
      hovered = v;
      draw();
    }
    tip.hidden = v < 0;
    if (v >= 0) {
      const label = nodes.label[v] < 0 ? "" : `, label ${className(nodes.label[v])}`;
      const share = classed(v) ? ` (${percent(nodes.top[v][1] / 1000, 0)})` : "";
      tip.textContent = `${nodes.name[v]}: ${className(nodes.predicted[v])}${share}${label}`;
      tip.style.left = `${Math.min(event.clientX + 14, window.innerWidth - 240)}px`;
      tip.style.top = `${event.clientY + 14}px`;
    }
  });
  canvas.addEventListener("pointerleave", () => {
    tip.hidden = true;
    hovered = -1;
    draw();
  });
  canvas.addEventListener("click", (event) => {
    const v = nearest(event);
    if (!moved && v >= 0) {
      tip.hidden = true;
      openNode(v);
    }
  });
  canvas.addEventListener("keydown", (event) => {
    const shift = { ArrowLeft: [40, 0], ArrowRight: [-40, 0], ArrowUp: [0, 40], ArrowDown: [0, -40] }[event.key];
    if (shift && scale > 1) {
      panX += shift[0];
      panY += shift[1];
      draw();
      event.preventDefault();
    }
    if (event.key === "+" || event.key === "=") step(1.5);
    if (event.key === "-") step(1 / 1.5);
    if (event.key === "0") step(0);
  });
  choice.addEventListener("change", () => {
    view = VIEWS.find(([key]) => key === choice.value);
    only = null;
    showKeys();
    draw();
  });
  new ResizeObserver(draw).observe(canvas);
  window.addEventListener("themechange", draw);
  showKeys();
  const zoom = (text, label, factor) =>
    el("button", { type: "button", "aria-label": label, click: () => step(factor) }, text);
  const zooms = [zoom("+", "Zoom in", 1.5), zoom("−", "Zoom out", 1 / 1.5), zoom("⟲", "Show all", 0)];
  return el(
    "section",
    { id: "map" },
    el("h2", {}, "Map of the nodes"),
    el(
      "p",
      { class: "note" },
      `Representations z laid out in the plane by ${nodes.layout}: nearby nodes look alike to the model.`,
      nodes.shown < nodes.total
        ? ` The graph has ${whole(nodes.total)} nodes; the map, the table and the node views ` +
            `show a random sample of ${whole(nodes.shown)}.`
        : "",
      " Choose a node to see why it got its label.",
    ),
    el("div", { class: "controls" }, el("label", {}, "Colour by", choice)),
    keys,
    el("div", { class: "canvas" }, canvas, el("div", { class: "zoom" }, zooms)),
  );
}
