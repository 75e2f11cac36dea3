function confusionTable(counts, title) {
  const totals = counts.map((row) => row.reduce((a, b) => a + b, 0));
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "class ↓ predicted →"),
    data.classes.map((c) =>
      el(
        "th",
        { class: data.classes.length > 4 ? "num tall" : "num", scope: "col", title: c },
        el("span", {}, short(c, 18)),
      ),
    ),
  );
  const body = counts.map((row, i) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", title: data.classes[i] }, short(data.classes[i], 24)),
      row.map((value) =>
        setShare(el("td", { class: "num heat" }, whole(value)), totals[i] ? (65 * value) / totals[i] : 0),
      ),
    ),
  );
  return el(
    "div",
    {},
    el("h3", {}, title),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": `Confusion of ${title}` },
      el("table", { class: "matrix" }, el("thead", {}, head), el("tbody", {}, body)),
    ),
  );
}
function qualitySection() {
  const quality = data.quality;
  if (!quality) return null;
  const keys = seriesOf(quality);
  const rows = keys.flatMap((key) =>
    quality.calibration[key].bins.map((b) => [MODELS[key], percent(b.confidence), percent(b.accuracy), b.nodes]),
  );
  const drawing = lineChart({
    label: "Accuracy against confidence; on the diagonal they agree",
    diagonal: true,
    x: { ...percentAxis(), title: "confidence of the prediction" },
    y: percentAxis(),
    series: keys.map((key) => ({
      style: STYLE[key][0],
      fill: STYLE[key][1],
      dots: true,
      points: quality.calibration[key].bins
        .filter((b) => b.nodes >= Math.min(10, quality.nodes / 20))
        .map((b) => [b.confidence, b.accuracy]),
    })),
  });
  return el(
    "section",
    { id: "quality" },
    el("h2", {}, "Where predictions go wrong"),
    el("p", { class: "note" }, `${plural(quality.nodes, `${quality.part} node`)} of the first split.`),
    el(
      "div",
      { class: "grid" },
      confusionTable(quality.confusion.infomotif, MODELS.infomotif),
      quality.confusion.base ? confusionTable(quality.confusion.base, MODELS.base) : null,
      figure(
        "Calibration",
        [
          drawing,
          legend(
            keys.map((key) => [
              `${MODELS[key]}, expected error ${percent(quality.calibration[key].error)}`,
              STYLE[key][0],
            ]),
          ),
        ],
        "Below the diagonal the model is overconfident. Bins with very few nodes appear in the table only.",
        ["model", "confidence", "accuracy", "nodes"],
        rows,
      ),
    ),
  );
}
function neighbourhoodsSection() {
  const quality = data.quality;
  const box = el(
    "section",
    { id: "surroundings" },
    el("h2", {}, `Accuracy by neighbourhood${data.faithfulness ? ", and how faithful explanations are" : ""}`),
  );
  const grid = el("div", { class: "grid three" });
  if (quality) {
    const keys = seriesOf(quality);
    for (const part of quality.quartiles) {
      const series = keys.map((key) => ({ key, fill: STYLE[key][1] }));
      const drawing = groupedBars({
        label: `Accuracy by quartile of ${part.title.toLowerCase()}`,
        groups: part.rows,
        series,
        y: percentAxis(0, 1.05),
      });
      grid.append(
        figure(
          `Accuracy by ${part.title.toLowerCase()}`,
          [drawing, legend(keys.map((key) => [MODELS[key], STYLE[key][0]]))],
          `${part.title}: ${part.meaning}. First split.`,
          ["quartile", "nodes", "from", "to", ...keys.map((key) => MODELS[key])],
          part.rows.map((r) => [r.name, r.nodes, r.from, r.to, ...keys.map((key) => percent(r[key]))]),
        ),
      );
    }
  }
  const faith = data.faithfulness;
  if (faith) {
    const high = Math.max(0.05, ...faith.curves.flatMap((c) => c.drop.map((d, i) => d + c.half_width[i])));
    const low = Math.min(0, ...faith.curves.flatMap((c) => c.drop.map((d, i) => d - c.half_width[i])));
    const tones = [
      ["s5", "f5"],
      ["s4", "f4"],
      ["s-base", "f-base"],
    ];
    const last = faith.steps[faith.steps.length - 1];
    const drawing = lineChart({
      label: "Lost probability of the predicted class against instances cut",
      x: {
        min: faith.steps[0] === last ? 0 : faith.steps[0],
        max: last,
        labels: faith.steps.map((s) => [s, s]),
        title: "instances whose edges are cut",
      },
      y: { min: low, max: high, format: (v) => `${Math.round(100 * v)} %` },
      series: faith.curves.map((c, i) => ({
        style: tones[i][0],
        fill: tones[i][1],
        dots: true,
        whiskers: c.half_width,
        shift: 5 * (i - 1),
        points: faith.steps.map((s, k) => [s, c.drop[k]]),
      })),
    });
    const rows = faith.curves.flatMap((c) =>
      faith.steps.map((s, k) => [
        c.kind,
        s,
        c.edges[k].toFixed(1),
        percent(c.drop[k]),
        percent(c.half_width[k]),
        percent(c.flipped[k]),
      ]),
    );
    grid.append(
      figure(
        "Faithfulness: what cutting the explanation does",
        [drawing, legend(faith.curves.map((c, i) => [c.kind, tones[i][0]]))],
        `Mean loss of the predicted class's probability over ${plural(faith.nodes, "node")}, with 95 % intervals. ` +
          "Random instances are drawn from those of the node; random edges are as many as the top instances have, " +
          "among those that reach the node.",
        ["cut", "instances", "edges", "lost probability", "±", "changed predictions"],
        rows,
      ),
    );
  }
  if (!grid.children.length) return null;
  box.append(grid);
  return box;
}
