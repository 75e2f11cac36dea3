const sheet = document.getElementById("node");
const numbers = new Map();
for (let v = nodes.shown - 1; v >= 0; v--) numbers.set(nodes.name[v], v);
const NODE = "#node=";

function openNode(v) {
  location.hash = NODE + encodeURIComponent(nodes.name[v]);
}
function nodeLink(v) {
  return v < nodes.shown
    ? el("button", { class: "link", type: "button", click: () => openNode(v) }, nodes.name[v])
    : el("span", {}, nodes.name[v]);
}

function hopsFrom(v, limit = Infinity) {
  const distance = new Map([[v, 0]]);
  let front = [v],
    hops = 0;
  while (front.length && hops < limit) {
    hops++;
    const next = [];
    for (const u of front)
      for (const w of neighbours(u))
        if (!distance.has(w)) {
          distance.set(w, hops);
          next.push(w);
        }
    front = next;
  }
  return distance;
}
function words(list) {
  return el(
    "ul",
    { class: "chips" },
    list.map((code) =>
      el(
        "li",
        code < 0 ? { class: "against", title: "speaks against" } : {},
        nodes.vocabulary[code < 0 ? -1 - code : code],
        code < 0 ? " (against)" : null,
      ),
    ),
  );
}
function classBars(top, kind) {
  const rows = [];
  for (let i = 0; i < top.length; i += 2)
    rows.push([data.classes[top[i]], top[i + 1] / 1000, percent(top[i + 1] / 1000), undefined, kind]);
  return bars(rows);
}
function instanceList(v, scene) {
  const items = [];
  const choose = (chosen) => {
    scene.highlight(chosen < 0 ? [] : nodes.instances[v][chosen][2]);
    items.forEach((item, i) => {
      item.classList.toggle("on", i === chosen);
      item.querySelector("button").setAttribute("aria-pressed", i === chosen ? "true" : "false");
    });
  };
  nodes.instances[v].forEach(([t, score, members, weights, shared], i) => {
    const motif = data.motifs[t];
    items.push(
      el(
        "li",
        { mouseenter: () => choose(i) },
        el(
          "div",
          { class: "row" },
          picture(motif),
          el("b", {}, `${motif.name} ${motif.title}`),
          el("span", { class: "meta" }, `score ${score > 0 ? "+" : ""}${score}`),
          el(
            "button",
            { type: "button", "aria-pressed": "false", focus: () => choose(i), click: () => choose(i) },
            "Show",
          ),
        ),
        el(
          "div",
          {},
          members.flatMap((u, k) => [
            k ? "; " : null,
            u === v ? el("b", {}, nodes.name[u]) : nodeLink(u),
            ` ${data.positions[t][k]} (${weights[k]} %), `,
            nodes.label[u] >= 0
              ? className(nodes.label[u])
              : `${classed(u) ? "predicted " : ""}${className(nodes.predicted[u])}`,
          ]),
        ),
        shared.length
          ? el("div", {}, el("span", { class: "meta" }, "shared attributes that carry the scores"), words(shared))
          : null,
      ),
    );
  });
  choose(items.length ? 0 : -1);
  return el("ul", { class: "cards" }, items);
}
function twinTable(v, distance) {
  const twins = nodes.twins[v].map((u, k) => [u, nodes.similarity[v][k]]).filter(([u]) => u >= 0);
  if (!twins.length)
    return el(
      "p",
      { class: "note" },
      nodes.role[v] < 0
        ? "The node is in no motif instance, so it has no role to share."
        : "None: no other node is similar in motif-level space.",
    );
  return table(
    ["node", "class", "similarity", "hops away"],
    twins.map(([u, s]) => [
      el("td", { class: "name" }, nodeLink(u)),
      nodes.label[u] < 0 ? `(${className(nodes.predicted[u])})` : className(nodes.label[u]),
      (s / 1000).toFixed(3),
      !distance ? "–" : distance.has(u) ? distance.get(u) : "not connected",
    ]),
    { label: "Role twins" },
  );
}
function reachText(v, distance) {
  if (!distance) return `${percent(nodes.fraction[v] / 1000)} of the nodes within 2 hops are training nodes.`;
  const near = [...distance].filter(([, d]) => d > 0 && d <= data.hops),
    known = near.filter(([u]) => nodes.part[u] === 1);
  const share = percent(near.length ? known.length / near.length : 0);
  return [
    `${whole(known.length)} of the ${whole(near.length)} nodes within ${data.hops} hops are training nodes (${share})`,
    known.length ? ": " : ".",
    known.slice(0, 8).flatMap(([u, d], k) => [k ? ", " : null, nodeLink(u), ` (${className(nodes.label[u])}, ${d})`]),
    known.length > 8 ? " …" : null,
  ];
}
function showNode(v) {
  const scene = neighbourhood(v),
    distance = nodes.complete ? hopsFrom(v) : null;
  const label = nodes.label[v],
    predicted = nodes.predicted[v],
    right = label >= 0 && label === predicted;
  const baseSays = nodes.base && (nodes.base[v][0] === predicted ? "the same" : className(nodes.base[v][0]));
  const type = className(predicted),
    about = data.graph.labelled_types.join(" and ");
  const lead = !classed(v)
    ? el("p", { class: "lead" }, "Of the type ", el("b", {}, type), `, which has no classes: labels are about ${about}.`)
    : el(
    "p",
    { class: "lead" },
    "Predicted ",
    el("b", {}, className(predicted)),
    ` (${percent(nodes.top[v][1] / 1000)})`,
    label < 0
      ? ", label unknown."
      : el(
          "span",
          { class: right ? "good" : "bad" },
          right ? ", as its label says." : `, but its label is ${className(label)}.`,
        ),
    nodes.base ? ` ${MODELS.base} alone says ${baseSays} (${percent(nodes.base[v][1] / 1000)}).` : "",
    nodes.part[v] ? ` A ${PARTS[nodes.part[v]]} node.` : "",
  );
  const mean = data.weights.weights;
  const leftColumn = el(
    "div",
    {},
    scene.drawing,
    el(
      "ul",
      { class: "legend" },
      scene.groups.map((g) => el("li", {}, sign(g), className(g))),
    ),
    el(
      "p",
      { class: "note" },
      `${plural(nodes.degree[v], "neighbour")}${scene.more > 0 ? `, ${whole(scene.more)} of them not drawn` : ""}. ` +
        `Colour and shape: ${groupTitle}; dashed outline: training node.` +
        (nodes.alpha && nodes.instances[v].length ? " The shaded instance is the chosen one." : ""),
    ),
    classed(v)
      ? [
          el("h3", {}, "Probabilities"),
          el("p", { class: "meta" }, MODELS.infomotif),
          classBars(nodes.top[v]),
          nodes.base ? [el("p", { class: "meta" }, MODELS.base), classBars(nodes.base[v], "base")] : null,
        ]
      : null,
    nodes.alpha
      ? [
          el("h3", {}, "Motif weights"),
          bars(
            data.motifs.map((m, t) => [
              `${m.name} ${m.title}`,
              nodes.alpha[v][t] / 1000,
              `${percent(nodes.alpha[v][t] / 1000)}, ${plural(nodes.counts[v][t], "instance")}`,
              mean[t],
            ]),
            "mean over the graph",
          ),
          el("p", { class: "note" }, "The vertical mark is the mean over the graph."),
        ]
      : null,
  );
  const rightColumn = el(
    "div",
    {},
    nodes.alpha
      ? [
          el("h3", {}, "Instances that count most"),
          nodes.instances[v].length
            ? instanceList(v, scene)
            : el("p", { class: "note" }, "The node is in no motif instance."),
        ]
      : null,
    nodes.words.length
      ? [
          el("h3", {}, "Attributes within reach that carry the prediction"),
          nodes.words[v].length ? words(nodes.words[v]) : el("p", { class: "note" }, "There are none within reach."),
        ]
      : null,
    el("h3", {}, "Role twins"),
    twinTable(v, distance),
    el("h3", {}, "Labels within reach"),
    el("p", {}, reachText(v, distance)),
  );
  sheet.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el(
        "div",
        { class: "sheet-top" },
        el("h2", { id: "node-title" }, nodes.name[v]),
        el("button", { type: "button", id: "close", click: () => sheet.close() }, "Close"),
      ),
      lead,
      el("div", { class: "grid" }, leftColumn, rightColumn),
    ),
  );
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0;
}
function followHash() {
  if (!location.hash.startsWith(NODE)) {
    if (sheet.open) sheet.close();
    return;
  }
  let name = location.hash.slice(NODE.length);
  try {
    name = decodeURIComponent(name);
  } catch {
    /* a name that was never encoded is taken as it is */
  }
  const v = numbers.get(name);
  if (v !== undefined) {
    showNode(v);
    return;
  }
  sheet.replaceChildren(
    el(
      "div",
      { class: "sheet" },
      el(
        "div",
        { class: "sheet-top" },
        el("h2", { id: "node-title" }, "No such node"),
        el("button", { type: "button", id: "close", click: () => sheet.close() }, "Close"),
      ),
      el("p", {}, `“${name}” is not among the nodes of this page.`),
    ),
  );
  if (!sheet.open) sheet.showModal();
}
sheet.addEventListener("close", () => {
  if (location.hash.startsWith(NODE)) history.replaceState(null, "", "#");
});
sheet.addEventListener("click", (event) => {
  if (event.target === sheet) sheet.close();
});
window.addEventListener("hashchange", followHash);
