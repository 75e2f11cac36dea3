function choiceSection() {
  const choice = data.run.choice;
  if (!choice) return null;
  const box = el(
    "section",
    { id: "tried" },
    el("h2", {}, "What was tried"),
    el("p", { class: "lead" }, `Chosen: ${choice.name}.`),
    el("p", {}, `${choice.reason[0].toUpperCase()}${choice.reason.slice(1)}.`),
  );
  if (choice.base_better)
    box.append(
      el(
        "p",
        {},
        `So the predictions are those of ${MODELS.base} alone, and motifs play no part. ` +
          "Train with --preset joint for a model that uses them.",
      ),
    );
  if (choice.tried.length) {
    const rows = choice.tried.map((t) => {
      const mark = t.name === choice.name;
      return [
        el("td", { class: "one" }, mark ? el("b", {}, `${t.name} ✓`) : t.name),
        t.what,
        t.accuracy === null ? "failed" : percent(t.accuracy),
        t.loss === null ? "–" : t.loss.toFixed(3),
        t.epochs,
        t.seconds.toFixed(1),
      ];
    });
    box.append(
      table(["candidate", "what it does", "validation", "loss", "epochs", "seconds"], rows, {
        label: "What was tried",
      }),
      el(
        "p",
        { class: "note" },
        "Test labels were not used. The base's settings come first, one after the other; InfoMotif is then tried " +
          "with the best of them, and the best go on to more epochs. Base and InfoMotif of a split share its settings.",
      ),
    );
  }
  for (const note of choice.notes) box.append(el("p", { class: "note" }, `${note[0].toUpperCase()}${note.slice(1)}.`));
  return box;
}
