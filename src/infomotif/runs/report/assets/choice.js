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
  if (choice.tried.length) {
    const weights = new Map(choice.members.map((m) => [m.name, m.weight]));
    const order = [...choice.tried].sort(
      (a, b) => b.finished - a.finished || (b.accuracy ?? 0) - (a.accuracy ?? 0) || (a.loss ?? 0) - (b.loss ?? 0),
    );
    const rows = order.map((t) => {
      const weight = weights.get(t.name) || 0;
      return [
        el("td", { class: "one" }, weight ? el("b", {}, `${t.name} ✓`) : t.name),
        t.what,
        t.motifs ? "yes" : "",
        t.accuracy === null ? "failed" : percent(t.accuracy),
        t.loss === null ? "–" : t.loss.toFixed(3),
        t.finished ? t.epochs : `${t.epochs}, stopped`,
        t.seconds.toFixed(1),
        weight ? weight.toFixed(2) : "",
      ];
    });
    const heads = ["candidate", "what it does", "motifs", "validation", "loss", "epochs", "seconds", "weight"];
    box.append(
      table(heads, rows, { label: "What was tried" }),
      el(
        "p",
        { class: "note" },
        "Test labels were not used. Networks race: all train for a part of their epochs, and the best go on. ",
        "InfoMotif is tried over the best of them and never stopped early.",
      ),
    );
  }
  for (const note of choice.notes) box.append(el("p", { class: "note" }, `${note[0].toUpperCase()}${note.slice(1)}.`));
  return box;
}
