function trainingSection() {
  const curves = data.curves;
  const epochs = Math.max(2, ...curves.map((c) => c.loss.length));
  const models = hasBase ? ["base", "infomotif"] : ["infomotif"];
  const chart = (key, title, models) => {
    const used = curves.filter((c) => models.includes(c.model) && c[key].some((v) => v !== null));
    if (!used.length) return null;
    const values = used.flatMap((c) => c[key]).filter((v) => v !== null);
    const accuracy = key === "val_accuracy";
    const low = accuracy ? Math.max(0, minOf(values) - 0.05) : 0;
    const ordered = [...values].sort((a, b) => a - b),
      highest = ordered[ordered.length - 1];
    // A first epoch far above the rest would flatten everything else.
    const usual = 3 * ordered[Math.floor(0.95 * (ordered.length - 1))];
    const cut = !accuracy && usual > 0 && highest > usual;
    const high = accuracy ? Math.min(1, highest + 0.02) : (cut ? usual : highest * 1.05) || 1;
    const series = used.map((c) => ({
      style: `${STYLE[c.model][0]}${c.split ? " faint" : ""}`,
      fill: STYLE[c.model][1],
      points: c[key].map((v, i) => [i + 1, v]),
    }));
    const y = accuracy ? percentAxis(low, high) : { min: low, max: high, format: (v) => Number(v.toPrecision(2)) };
    const strong = used.filter((c) => c.split === 0),
      first = strong.length ? strong : used.slice(0, 1);
    const short4 = (v) => (Number.isInteger(v) ? v : Number(v.toPrecision(4)));
    const ends = first.map((c) => {
      const known = c[key].filter((v) => v !== null);
      const extreme = accuracy ? maxOf(known) : minOf(known);
      return [MODELS[c.model], ...[known.length, known[0], known[known.length - 1], extreme].map(short4)];
    });
    return figure(
      title,
      [
        lineChart({ label: `${title} over ${epochs} epochs`, series, x: { min: 1, max: epochs, title: "epoch" }, y }),
        legend(first.map((c) => [MODELS[c.model], STYLE[c.model][0]])),
      ],
      cut ? `Peaks up to ${highest.toPrecision(2)} are cut off.` : null,
      ["model", "epochs", "first", "last", accuracy ? "highest" : "lowest"],
      ends,
    );
  };
  return el(
    "section",
    { id: "training" },
    el("h2", {}, "Training"),
    el(
      "div",
      { class: "grid three" },
      chart("val_accuracy", "Validation accuracy", models),
      chart("loss", "Supervised loss", models),
      chart("mi_loss", "InfoMax loss", ["infomotif"]),
    ),
    data.run.settings.self_training
      ? el(
          "p",
          { class: "note" },
          "Every curve has two parts: after the first training the network starts again, " +
            "with the labels that it is most certain of added (self-training).",
        )
      : null,
    data.run.plan.splits > 1
      ? el("p", { class: "note" }, "The first split is drawn in full colour, the others faintly.")
      : null,
  );
}
