const percentAxis = (min = 0, max = 1) => ({ min, max, format: (v) => `${Math.round(100 * v)} %` });
const seriesOf = (quality) => ["base", "infomotif"].filter((key) => key in quality.accuracy);
const STYLE = { infomotif: ["s-ours", "f-ours"], base: ["s-base", "f-base"] };

function spread(value) {
  return `${(100 * value.mean).toFixed(1)}${value.deviation === null ? "" : ` ± ${(100 * value.deviation).toFixed(1)}`} %`;
}
function summarySection() {
  const { graph, run, quality } = data;
  const outcome = run.outcome, difference = outcome.difference;
  const measured = String(outcome.measure).replace("_", " ");
  const shareTrained = percent(graph.split[0] / graph.split.reduce((a, b) => a + b, 0), 0);
  const tile = (value, text, tone) => el("div", { class: "tile" }, el("b", { class: tone }, value), el("span", {}, unbroken(text)));
  const lead = baseAlways
    ? `Validation preferred ${MODELS.base} alone${difference ? `, which reaches ${spread(outcome.base)} ${measured} over ${plural(difference.count, "split")}` : ""}. Nothing here uses motifs.`
    : difference
    ? `${overall} reaches ${spread(outcome.infomotif)} ${measured}, ${MODELS.base} alone ${spread(outcome.base)}: ${points(difference.mean)}${difference.half_width === null ? "" : ` ± ${(100 * difference.half_width).toFixed(1)}`} points over ${plural(difference.count, "split")} (${difference.verdict}).${baseSplits ? ` In ${plural(baseSplits, "split")} of them validation preferred ${MODELS.base} alone${baseChosen ? "; the first, whose model this page shows, is one of these" : ""}.` : ""}`
    : "No labelled node was left to compare the two models on.";
  const box = el("section", { id: "summary" },
    el("h1", {}, graph.name),
    el("p", { class: "meta" }, `${plural(graph.nodes, "node")}, ${whole(graph.edges)} ${graph.directed ? "directed" : "undirected"} edges, ${graph.attributes ? plural(graph.attributes, "attribute") : "no attributes"}, ${plural(data.classes.length, "class").replace("classs", "classes")}. Trained ${new Date(run.created).toLocaleString("en", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" })} UTC. First split: ${graph.split[0]} training, ${graph.split[1]} validation, ${graph.split[2]} test nodes.`),
    el("p", { class: "lead" }, unbroken(lead)));
  const tiles = el("div", { class: "tiles" });
  if (difference && baseAlways) tiles.append(tile(spread(outcome.base), MODELS.infomotif));
  else if (difference) {
    tiles.append(tile(spread(outcome.infomotif), overall), tile(spread(outcome.base), `${MODELS.base} alone`),
      tile(`${points(difference.mean)} points`, `difference, ${difference.verdict}`, difference.verdict === "win" ? "good" : difference.verdict === "loss" ? "bad" : null));
  }
  if (quality && "fixed" in quality) {
    tiles.append(tile(whole(quality.fixed), `${quality.part} nodes only InfoMotif gets right (first split)`, "good"),
      tile(whole(quality.broken), `${quality.part} nodes only ${MODELS.base} gets right (first split)`, "bad"));
  }
  box.append(tiles);
  const splits = [...new Set(run.trainings.map((t) => t.split))];
  const accuracy = (model, split) => { const t = run.trainings.find((r) => r.model === model && r.split === split); return t ? t[outcome.measure] : null; };
  const rows = splits.map((s) => { const a = accuracy("base", s), b = accuracy("infomotif", s); return [s + 1, percent(a), percent(b), a === null || b === null ? "–" : points(b - a)]; });
  const columns = el("div", { class: "grid" });
  const heads = ["split", MODELS.base, overall, "difference"].filter((_, i) => i < 2 || !baseAlways);
  columns.append(el("div", {}, el("h3", {}, "Splits"), table(heads, rows.map((row) => row.slice(0, heads.length)), { label: "Accuracy by split" })));
  if (quality && "base" in quality.accuracy) {
    const sorted = [...quality.classes].sort((a, b) => b.infomotif - b.base - (a.infomotif - a.base));
    columns.append(el("div", {}, el("h3", {}, "Classes, winners first"), table(["class", "nodes", MODELS.base, MODELS.infomotif, "difference"],
      sorted.map((c) => [c.name, c.nodes, percent(c.base), percent(c.infomotif), points(c.infomotif - c.base)]), { label: "Accuracy by class" }),
      el("p", { class: "note" }, `On the ${quality.part} nodes of the first split.`)));
  }
  box.append(columns);
  const notes = Object.entries(graph.notes).map(([key, count]) => `${whole(count)} ${key.replaceAll("_", " ")}`);
  const settings = Object.entries(run.settings).map(([key, value]) => [key, value === null ? "default" : String(value)]);
  box.append(el("details", {}, el("summary", {}, "How it was made: settings, data and versions"),
    notes.length ? el("p", { class: "note" }, `On reading the data: ${notes.join(", ")}.`) : null,
    el("p", { class: "note" }, `Data fingerprint ${graph.fingerprint}. Preset ${run.plan.preset}, ${shareTrained} of the labels train, seed ${run.plan.seed}.`),
    run.choice && run.plan.splits > 1 ? el("p", { class: "note" }, "Settings are those that the first split chose.") : null,
    el("div", { class: "grid" }, table(["setting", "value"], settings), table(["software", "version"], Object.entries(run.environment).map(([k, v]) => [k, String(v)])))));
  return box;
}
function trainingSection() {
  const curves = data.curves;
  const epochs = Math.max(2, ...curves.map((c) => c.loss.length));
  const models = baseAlways ? ["infomotif"] : ["base", "infomotif"];
  const chart = (key, title, models) => {
    const used = curves.filter((c) => models.includes(c.model) && c[key].some((v) => v !== null));
    if (!used.length) return null;
    const values = used.flatMap((c) => c[key]).filter((v) => v !== null);
    const accuracy = key === "val_accuracy";
    const low = accuracy ? Math.max(0, least(values) - 0.05) : 0;
    const ordered = [...values].sort((a, b) => a - b), highest = ordered[ordered.length - 1];
    // A first epoch far above the rest would flatten everything else.
    const usual = 3 * ordered[Math.floor(0.95 * (ordered.length - 1))];
    const cut = !accuracy && usual > 0 && highest > usual;
    const high = accuracy ? Math.min(1, highest + 0.02) : (cut ? usual : highest * 1.05) || 1;
    const series = used.map((c) => ({ style: `${STYLE[c.model][0]}${c.split ? " faint" : ""}`, fill: STYLE[c.model][1], points: c[key].map((v, i) => [i + 1, v]) }));
    const y = accuracy ? percentAxis(low, high) : { min: low, max: high, format: (v) => Number(v.toPrecision(2)) };
    const strong = used.filter((c) => c.split === 0), first = strong.length ? strong : used.slice(0, 1);
    const ends = first.map((c) => { const known = c[key].filter((v) => v !== null); return [MODELS[c.model], known.length, known[0], known[known.length - 1], accuracy ? most(known) : least(known)].map((v) => (typeof v === "number" && !Number.isInteger(v) ? Number(v.toPrecision(4)) : v)); });
    return figure(title, [lineChart({ label: `${title} over ${epochs} epochs`, series, x: { min: 1, max: epochs, title: "epoch" }, y }), legend(first.map((c) => [MODELS[c.model], STYLE[c.model][0]]))],
      cut ? `Peaks up to ${highest.toPrecision(2)} are cut off.` : null, ["model", "epochs", "first", "last", accuracy ? "highest" : "lowest"], ends);
  };
  return el("section", { id: "training" }, el("h2", {}, "Training"), el("div", { class: "grid three" },
    chart("val_accuracy", "Validation accuracy", models), chart("loss", "Supervised loss", models), chart("mi_loss", "InfoMax loss", ["infomotif"])),
    data.run.settings.self_training ? el("p", { class: "note" }, "Every curve has two parts: after its first training the network begins again, with the labels that it is surest of (self-training).") : null,
    data.run.plan.splits > 1 ? el("p", { class: "note" }, "The first split is drawn strong, the others faint.") : null);
}
function confusionTable(counts, title) {
  const totals = counts.map((row) => row.reduce((a, b) => a + b, 0));
  const head = el("tr", {}, el("th", { scope: "col" }, "class ↓ predicted →"), data.classes.map((c) => el("th", { class: data.classes.length > 4 ? "num tall" : "num", scope: "col", title: c }, el("span", {}, short(c, 18)))));
  const body = counts.map((row, i) => el("tr", {}, el("th", { scope: "row", title: data.classes[i] }, short(data.classes[i], 24)),
    row.map((value) => setShare(el("td", { class: "num heat" }, whole(value)), totals[i] ? (65 * value) / totals[i] : 0))));
  return el("div", {}, el("h3", {}, title), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Confusion of ${title}` }, el("table", { class: "matrix" }, el("thead", {}, head), el("tbody", {}, body))));
}
function qualitySection() {
  const quality = data.quality;
  if (!quality) return null;
  const keys = seriesOf(quality);
  const rows = keys.flatMap((key) => quality.calibration[key].bins.map((b) => [MODELS[key], percent(b.confidence), percent(b.accuracy), b.nodes]));
  const drawing = lineChart({ label: "Accuracy against confidence; on the diagonal they agree", diagonal: true, x: { ...percentAxis(), title: "confidence of the prediction" }, y: percentAxis(),
    series: keys.map((key) => ({ style: STYLE[key][0], fill: STYLE[key][1], dots: true, points: quality.calibration[key].bins.filter((b) => b.nodes >= Math.min(10, quality.nodes / 20)).map((b) => [b.confidence, b.accuracy]) })) });
  return el("section", { id: "quality" }, el("h2", {}, "Where predictions go wrong"),
    el("p", { class: "note" }, `${plural(quality.nodes, `${quality.part} node`)} of the first split.`),
    el("div", { class: "grid" }, confusionTable(quality.confusion.infomotif, MODELS.infomotif), quality.confusion.base ? confusionTable(quality.confusion.base, MODELS.base) : null,
      figure("Calibration", [drawing, legend(keys.map((key) => [`${MODELS[key]}, expected error ${percent(quality.calibration[key].error)}`, STYLE[key][0]]))],
        "Below the diagonal the model is surer than it is right. Bins with very few nodes are left to the table.", ["model", "confidence", "accuracy", "nodes"], rows)));
}
function motifSection() {
  if (!data.motifs.length) return null;
  const rows = data.motifs.map((m, t) => [picture(m), el("td", { class: "one" }, el("b", {}, m.name), ` ${m.title}`, el("br"), el("span", { class: "meta" }, m.pattern)), whole(m.total), percent(m.coverage),
    m.mean === null ? "–" : el("td", { class: "num" }, `${whole(m.mean)} ± ${whole(m.std)}`), m.z === null ? "–" : `${m.z >= 0 ? "+" : "−"}${Math.abs(m.z).toFixed(1)}`, percent(data.weights.weights[t])]);
  const box = el("section", { id: "motifs" }, el("h2", {}, "Motifs"),
    table(["", "motif", "instances", "nodes covered", "by chance", "z-score", "mean weight"], rows, { label: "Motif census" }),
    el("p", { class: "note" }, `By chance: ${data.motifs[0].samples} random graphs in which every node keeps its in, out and reciprocal degree. The weight is the mean of alpha over all nodes.`));
  const heat = el("table", { class: "matrix" }, el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "predicted class"), el("th", { class: "num", scope: "col" }, "nodes"), data.motifs.map((m) => el("th", { class: "num", scope: "col", title: m.title }, m.name)))),
    el("tbody", {}, data.weights.classes.map((c) => el("tr", {}, el("th", { scope: "row", title: c.name }, short(c.name, 28)), el("td", { class: "num" }, whole(c.size)),
      c.weights.map((w, t) => setShare(el("td", { class: "num heat", title: `± ${percent(c.deviation[t])}` }, percent(w)), 65 * w))))));
  box.append(el("h3", {}, "Motif weights by class"), el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Motif weights by class" }, heat));
  if (data.roles.length) {
    const roleRows = data.roles.map((role, i) => {
      const order = role.classes.map((share, c) => [share, c]).sort((a, b) => b[0] - a[0]).filter(([share]) => share >= 0.01).slice(0, 3);
      const typical = role.representatives.map((v) => nodes.shown === nodes.total ? el("button", { class: "link", type: "button", click: () => openNode(v) }, nodes.name[v]) : null).filter(Boolean);
      return [el("td", { class: "one" }, sign(i), `role ${i + 1}`), role.size, role.degree.toFixed(1), order.map(([share, c]) => `${data.classes[c]} ${percent(share, 0)}`).join(", "), el("td", { class: "name" }, typical.flatMap((t, k) => (k ? [", ", t] : [t])))];
    });
    box.append(el("h3", {}, "Roles"), table(["role", "nodes", "neighbours a node", "predicted classes", "typical nodes"], roleRows, { label: "Roles" }),
      el("p", { class: "note" }, "Groups of nodes that are alike in motif-level space, wherever in the graph they are."));
  }
  return box;
}
function surroundingsSection() {
  const quality = data.quality;
  const box = el("section", { id: "surroundings" }, el("h2", {}, "What surrounds a node, and whether explanations hold"));
  const grid = el("div", { class: "grid three" });
  if (quality) {
    const keys = seriesOf(quality);
    for (const part of quality.quartiles) {
      const series = keys.map((key) => ({ key, fill: STYLE[key][1] }));
      const drawing = groupedBars({ label: `Accuracy by quartile of ${part.title.toLowerCase()}`, groups: part.rows, series, y: percentAxis(0, 1.05) });
      grid.append(figure(`Accuracy by ${part.title.toLowerCase()}`, [drawing, legend(keys.map((key) => [MODELS[key], STYLE[key][0]]))], `${part.title}: ${part.meaning}. First split.`,
        ["quartile", "nodes", "from", "to", ...keys.map((key) => MODELS[key])], part.rows.map((r) => [r.name, r.nodes, r.from, r.to, ...keys.map((key) => percent(r[key]))])));
    }
  }
  const faith = data.faithfulness;
  if (faith) {
    const high = Math.max(0.05, ...faith.curves.flatMap((c) => c.drop.map((d, i) => d + c.half_width[i])));
    const low = Math.min(0, ...faith.curves.flatMap((c) => c.drop.map((d, i) => d - c.half_width[i])));
    const tones = [["s5", "f5"], ["s4", "f4"], ["s-base", "f-base"]];
    const last = faith.steps[faith.steps.length - 1];
    const drawing = lineChart({ label: "Lost probability of the predicted class against instances cut", x: { min: faith.steps[0] === last ? 0 : faith.steps[0], max: last, labels: faith.steps.map((s) => [s, s]), title: "instances whose edges are cut" }, y: { min: low, max: high, format: (v) => `${Math.round(100 * v)} %` },
      series: faith.curves.map((c, i) => ({ style: tones[i][0], fill: tones[i][1], dots: true, whiskers: c.half_width, shift: 5 * (i - 1), points: faith.steps.map((s, k) => [s, c.drop[k]]) })) });
    const rows = faith.curves.flatMap((c) => faith.steps.map((s, k) => [c.kind, s, c.edges[k].toFixed(1), percent(c.drop[k]), percent(c.half_width[k]), percent(c.flipped[k])]));
    grid.append(figure("Faithfulness: what cutting the explanation does", [drawing, legend(faith.curves.map((c, i) => [c.kind, tones[i][0]]))],
      `Mean loss of the predicted class's probability over ${plural(faith.nodes, "node")}, with 95 % intervals. Random instances are the node's own; random edges are as many as the top instances have, among those that reach the node.`,
      ["cut", "instances", "edges", "lost probability", "±", "changed predictions"], rows));
  }
  if (!grid.children.length) return null;
  box.append(grid);
  return box;
}
