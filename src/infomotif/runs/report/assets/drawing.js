const SCENE = { width: 560, height: 420, maxNodes: 36 };
const neighbours = (v) => (v < nodes.shown ? nodes.links[1].slice(nodes.links[0][v], nodes.links[0][v + 1]) : []);

// Code 1 means an edge from v, 2 one to v, 3 both; without directions it is always 3.
function linkCode(v, entry) {
  return nodes.links[2] ? nodes.links[2][nodes.links[0][v] + entry] : 3;
}

function chosenNodes(v) {
  const chosen = new Set([v]);
  for (const instance of nodes.instances[v]) for (const u of instance[2]) chosen.add(u);
  const add = (u) => {
    if (chosen.size < SCENE.maxNodes) chosen.add(u);
  };
  neighbours(v).forEach(add);
  if (chosen.size < 14) for (const u of neighbours(v)) neighbours(u).slice(0, 6).forEach(add);
  return [...chosen];
}
function edgesAmong(list) {
  const indexOf = new Map(list.map((u, i) => [u, i]));
  const seen = new Map();
  list.forEach((u, i) =>
    neighbours(u).forEach((w, k) => {
      const j = indexOf.get(w);
      if (j === undefined) return;
      const code = linkCode(u, k),
        key = i < j ? `${i},${j}` : `${j},${i}`;
      if (!seen.has(key)) seen.set(key, i < j ? [i, j, code] : [j, i, [0, 2, 1, 3][code]]);
    }),
  );
  return [...seen.values()];
}
// A few hundred steps of springs along edges and repulsion between all nodes; the same node is always drawn alike.
// Members of one instance are tied closely, so that it shows as the shape it is.
function layout(count, edges, ties) {
  const x = [],
    y = [];
  for (let i = 0; i < count; i++) {
    const a = i * 2.399963,
      r = i ? 60 + 9 * i : 0;
    x.push(r * Math.cos(a));
    y.push(r * Math.sin(a));
  }
  for (let t = 0; t < 300; t++) {
    const heat = 12 * (1 - t / 300),
      fx = new Array(count).fill(0),
      fy = new Array(count).fill(0);
    for (let i = 0; i < count; i++)
      for (let j = i + 1; j < count; j++) {
        const dx = x[i] - x[j],
          dy = y[i] - y[j],
          d2 = dx * dx + dy * dy + 0.01,
          f = 9000 / d2,
          d = Math.sqrt(d2);
        fx[i] += (f * dx) / d;
        fy[i] += (f * dy) / d;
        fx[j] -= (f * dx) / d;
        fy[j] -= (f * dy) / d;
      }
    for (const [i, j] of edges) {
      const dx = x[i] - x[j],
        dy = y[i] - y[j],
        d = Math.sqrt(dx * dx + dy * dy) + 0.01,
        f = (d - 70) * 0.06;
      fx[i] -= ((f * dx) / d) * 10;
      fy[i] -= ((f * dy) / d) * 10;
      fx[j] += ((f * dx) / d) * 10;
      fy[j] += ((f * dy) / d) * 10;
    }
    for (const [i, j] of ties) {
      const dx = x[i] - x[j],
        dy = y[i] - y[j],
        d = Math.sqrt(dx * dx + dy * dy) + 0.01,
        f = (d - 80) * 2.5;
      fx[i] -= (f * dx) / d;
      fy[i] -= (f * dy) / d;
      fx[j] += (f * dx) / d;
      fy[j] += (f * dy) / d;
    }
    for (let i = 1; i < count; i++) {
      fx[i] -= 0.25 * x[i];
      fy[i] -= 0.35 * y[i];
      const f = Math.sqrt(fx[i] ** 2 + fy[i] ** 2) + 0.01,
        move = Math.min(f, heat);
      x[i] += (fx[i] / f) * move;
      y[i] += (fy[i] / f) * move;
    }
  }
  const lowX = Math.min(...x),
    lowY = Math.min(...y),
    spanX = Math.max(...x) - lowX || 1,
    spanY = Math.max(...y) - lowY || 1;
  const k = Math.min((SCENE.width - 120) / spanX, (SCENE.height - 60) / spanY, 5);
  return x.map((value, i) => [
    SCENE.width / 2 + (value - lowX - spanX / 2) * k,
    SCENE.height / 2 + (y[i] - lowY - spanY / 2) * k,
  ]);
}
function neighbourhood(v) {
  const list = chosenNodes(v),
    edges = edgesAmong(list),
    indexOf = new Map(list.map((u, i) => [u, i]));
  const ties = nodes.instances[v]
    .slice(0, 2)
    .flatMap((s) => s[2].flatMap((u, a) => s[2].slice(a + 1).map((w) => [indexOf.get(u), indexOf.get(w)])));
  const at = layout(list.length, edges, ties);
  const more = nodes.degree[v] - neighbours(v).filter((u) => indexOf.has(u)).length;
  const drawing = svg("svg", {
    class: "scene",
    viewBox: `0 0 ${SCENE.width} ${SCENE.height}`,
    role: "group",
    "aria-label":
      `Neighbourhood of ${nodes.name[v]}: ${list.length} nodes and ${edges.length} edges, ` +
      `coloured by ${groupTitle}`,
  });
  const hull = svg("path", { class: "hull" });
  drawing.append(hull);
  const lines = edges.map(([i, j, code]) => {
    const [a, b] = [at[i], at[j]],
      d = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1,
      ux = (b[0] - a[0]) / d,
      uy = (b[1] - a[1]) / d;
    const line = svg("line", { x1: a[0], y1: a[1], x2: b[0], y2: b[1], class: "edge" });
    drawing.append(line);
    const heads = [];
    const arrow = (p, sx, sy) => {
      const tipX = p[0] - sx * 10,
        tipY = p[1] - sy * 10;
      const left = `${tipX - 8 * sx - 4 * sy} ${tipY - 8 * sy + 4 * sx}`;
      const right = `${tipX - 8 * sx + 4 * sy} ${tipY - 8 * sy - 4 * sx}`;
      heads.push(svg("path", { class: "head", d: `M${tipX} ${tipY}L${left}L${right}z` }));
    };
    if (data.graph.directed && code & 1) arrow(b, ux, uy);
    if (data.graph.directed && code & 2) arrow(a, -ux, -uy);
    drawing.append(...heads);
    return { i, j, parts: [line, ...heads] };
  });
  list.forEach((u, i) => {
    const [x, y] = at[i],
      isCentre = u === v,
      group = nodes.predicted[u];
    const label = nodes.label[u] < 0 ? "" : `, label ${className(nodes.label[u])}`;
    const text = `${nodes.name[u]}: ${className(group)}${label}${nodes.part[u] === 1 ? ", training node" : ""}`;
    const open = isCentre || u >= nodes.shown ? null : () => openNode(u);
    drawing.append(
      svg(
        "path",
        {
          d: shapePath(group, x, y, isCentre ? 10 : 7),
          class: `dot ${tone(group)}${isCentre ? " own" : ""}${nodes.part[u] === 1 ? " trained" : ""}`,
          tabindex: open ? "0" : null,
          role: open ? "link" : "img",
          "aria-label": text,
          click: open,
          keydown: open
            ? (event) => {
                if (event.key === "Enter") open();
              }
            : null,
        },
        svg("title", {}, text),
      ),
    );
  });
  list.forEach((u, i) => {
    if (list.length <= 24 || i === 0 || nodes.instances[v].some((s) => s[2].includes(u)))
      drawing.append(
        svg("text", { x: at[i][0], y: at[i][1] - 12, "text-anchor": "middle", class: "tag" }, short(nodes.name[u], 14)),
      );
  });
  const highlight = (members) => {
    const inside = new Set(members.map((u) => indexOf.get(u)));
    const corners = members.map((u) => at[indexOf.get(u)]);
    const cx = corners.reduce((s, p) => s + p[0], 0) / corners.length,
      cy = corners.reduce((s, p) => s + p[1], 0) / corners.length;
    corners.sort((p, q) => Math.atan2(p[1] - cy, p[0] - cx) - Math.atan2(q[1] - cy, q[0] - cx));
    hull.setAttribute("d", corners.length ? `M${corners.map((p) => p.join(" ")).join("L")}z` : "");
    for (const { i, j, parts } of lines)
      for (const part of parts) part.classList.toggle("on", inside.has(i) && inside.has(j));
  };
  return { drawing, highlight, more, groups: [...new Set(list.map((u) => nodes.predicted[u]))].sort((a, b) => a - b) };
}
