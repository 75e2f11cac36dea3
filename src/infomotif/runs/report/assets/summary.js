function spread(value) {
  const deviation = value.deviation === null ? "" : ` ± ${(100 * value.deviation).toFixed(1)}`;
  return `${(100 * value.mean).toFixed(1)}${deviation} %`;
}
function interval(value) {
  if (!value.interval) return "";
  const [low, high] = value.interval.map((bound) => (100 * bound).toFixed(1));
  return `95 % interval ${low} to ${high}`;
}
function typesText() {
  const { node_types: types, labelled_types: about } = data.graph;
  if (!types.length) return "";
  const each = types.map(([name, count, owned]) => `${name} ${whole(count)}${owned ? ` (${plural(owned, "attribute")})` : ""}`);
  return `Node types: ${each.join(", ")}; classes are those of ${about.join(" and ")}. `;
}
function factsText() {
  const { graph, run } = data;
  const attributes = graph.attributes ? plural(graph.attributes, "attribute") : "no attributes";
  const classes = data.classes.length === 1 ? "1 class" : `${whole(data.classes.length)} classes`;
  const format = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" };
  const trained = new Date(run.created).toLocaleString("en", format);
  const [train, val, test] = graph.split;
  return [
    `${plural(graph.nodes, "node")}, ${whole(graph.edges)} ${graph.directed ? "directed" : "undirected"} edges`,
    `, ${attributes}, ${classes}. ${typesText()}Trained ${trained} UTC. `,
    `First split: ${train} training, ${val} validation, ${test} test nodes.`,
  ].join("");
}
function answerText(measured) {
  const { outcome, plan } = data.run;
  if (!outcome.infomotif) return "No labelled node was left to measure on.";
  const names = voters.map((m) => (voters.length > 1 ? `${m.name} (${m.weight.toFixed(2)})` : m.name));
  const parts = [`${overall} reaches ${spread(outcome.infomotif)} ${measured}`];
  if (outcome.infomotif.interval) parts.push(`, ${interval(outcome.infomotif)}`);
  if (plan.splits > 1) parts.push(`, over ${plural(plan.splits, "split")}`);
  parts.push(voters.length > 1 ? `. It is the mean of ${names.join(" + ")}. ` : ". ");
  const motifs = voters.filter((m) => m.motifs).map((m) => m.name);
  const source = chosen.members[chosen.main];
  if (motifs.length) parts.push(`Motifs are part of it, in ${motifs.join(" and ")}. `);
  else parts.push("No part that is made of motifs counts in the predictions. ");
  parts.push(`What this page says about motifs and single nodes comes from ${source.name}`);
  parts.push(source.weight ? "." : ", which does not count in the predictions.");
  if (plan.search.refit !== false && data.graph.split[1] && chosen.tried.length)
    parts.push(" Accuracies were measured before the last training, which also uses the labels of validation nodes.");
  return parts.join("");
}
function leadText() {
  const { outcome } = data.run,
    { difference } = outcome;
  const measured = String(outcome.measure).replace("_", " ");
  if (chosen) return answerText(measured);
  if (!difference) return "No labelled node was left to compare the two models on: let fewer train or validate, or label more.";
  const splits = plural(difference.count, "split");
  const half = difference.half_width === null ? "" : ` ± ${(100 * difference.half_width).toFixed(1)}`;
  const parts = [
    `${overall} reaches ${spread(outcome.infomotif)} ${measured}, ${MODELS.base} alone ${spread(outcome.base)}: `,
    `${points(difference.mean)}${half} points over ${splits} (${difference.verdict}).`,
  ];
  return parts.join("");
}
function summarySection() {
  const { graph, run, quality } = data;
  const outcome = run.outcome,
    difference = outcome.difference;
  const shareTrained = percent(graph.split[0] / graph.split.reduce((a, b) => a + b, 0), 0);
  const named = (name, value) => (value.interval ? `${name}, ${interval(value)}` : name);
  const tile = (value, text, tone) =>
    el("div", { class: "tile" }, el("b", { class: tone }, value), el("span", {}, unbroken(text)));
  const box = el(
    "section",
    { id: "summary" },
    el("h1", {}, graph.title),
    el("p", { class: "meta" }, factsText()),
    el("p", { class: "lead" }, unbroken(leadText())),
  );
  const tiles = el("div", { class: "tiles" });
  if (!hasBase && outcome.infomotif) tiles.append(tile(spread(outcome.infomotif), named(overall, outcome.infomotif)));
  if (difference) {
    tiles.append(
      tile(spread(outcome.infomotif), named(overall, outcome.infomotif)),
      tile(spread(outcome.base), named(`${MODELS.base} alone`, outcome.base)),
      tile(
        `${points(difference.mean)} points`,
        `difference, ${difference.verdict}`,
        difference.verdict === "win" ? "good" : difference.verdict === "loss" ? "bad" : null,
      ),
    );
  }
  if (quality && "fixed" in quality) {
    tiles.append(
      tile(whole(quality.fixed), `${quality.part} nodes only InfoMotif gets right (first split)`, "good"),
      tile(whole(quality.broken), `${quality.part} nodes only ${MODELS.base} gets right (first split)`, "bad"),
    );
  }
  box.append(tiles);
  const splits = [...new Set(run.trainings.map((t) => t.split))];
  const accuracy = (model, split) => {
    const t = run.trainings.find((r) => r.model === model && r.split === split);
    return t ? t[outcome.measure] : null;
  };
  const rows = splits.map((s) => {
    const a = accuracy("base", s),
      b = accuracy("infomotif", s);
    if (!hasBase) return [s + 1, percent(b)];
    return [s + 1, percent(a), percent(b), a === null || b === null ? "–" : points(b - a)];
  });
  const columns = el("div", { class: "grid" });
  const heads = hasBase ? ["split", MODELS.base, overall, "difference"] : ["split", overall];
  columns.append(
    el(
      "div",
      {},
      el("h3", {}, "Splits"),
      table(heads, rows, { label: "Accuracy by split" }),
    ),
  );
  if (quality && "base" in quality.accuracy) {
    const sorted = [...quality.classes].sort((a, b) => b.infomotif - b.base - (a.infomotif - a.base));
    columns.append(
      el(
        "div",
        {},
        el("h3", {}, "Classes, largest gain first"),
        table(
          ["class", "nodes", MODELS.base, MODELS.infomotif, "difference"],
          sorted.map((c) => [c.name, c.nodes, percent(c.base), percent(c.infomotif), points(c.infomotif - c.base)]),
          { label: "Accuracy by class" },
        ),
        el("p", { class: "note" }, `On the ${quality.part} nodes of the first split.`),
      ),
    );
  }
  box.append(columns);
  const notes = Object.entries(graph.notes).map(([key, count]) => `${whole(count)} ${key.replaceAll("_", " ")}`);
  const settings = Object.entries(run.settings).map(([key, value]) => [
    key,
    value === null ? "default" : String(value),
  ]);
  box.append(
    el(
      "details",
      {},
      el("summary", {}, "How it was made: settings, data and versions"),
      notes.length ? el("p", { class: "note" }, `On reading the data: ${notes.join(", ")}.`) : null,
      el(
        "p",
        { class: "note" },
        `Data fingerprint ${graph.fingerprint}. `,
        `Preset ${run.plan.preset}, ${shareTrained} of the labels train, seed ${run.plan.seed}.`,
      ),
      run.choice
        ? el("p", { class: "note" }, "Settings are those of the model that explains, of the first split.")
        : null,
      el(
        "div",
        { class: "grid" },
        table(["setting", "value"], settings),
        table(
          ["software", "version"],
          Object.entries(run.environment).map(([k, v]) => [k, String(v)]),
        ),
      ),
    ),
  );
  return box;
}
