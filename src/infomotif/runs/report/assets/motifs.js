function motifSection() {
  if (!data.motifs.length) return null;
  const rows = data.motifs.map((m, t) => [
    picture(m),
    el("td", { class: "one" }, el("b", {}, m.name), ` ${m.title}`, el("br"), el("span", { class: "meta" }, m.pattern)),
    whole(m.total),
    percent(m.coverage),
    m.mean === null ? "–" : el("td", { class: "num" }, `${whole(m.mean)} ± ${whole(m.std)}`),
    m.z === null ? "–" : `${m.z >= 0 ? "+" : "−"}${Math.abs(m.z).toFixed(1)}`,
    percent(data.weights.weights[t]),
  ]);
  const box = el(
    "section",
    { id: "motifs" },
    el("h2", {}, "Motifs"),
    table(["", "motif", "instances", "nodes covered", "by chance", "z-score", "mean weight"], rows, {
      label: "Motif census",
    }),
    el(
      "p",
      { class: "note" },
      `By chance: ${data.motifs[0].samples} random graphs in which every node keeps its in, out and reciprocal ` +
        "degree. The weight is the mean of alpha over all nodes.",
    ),
  );
  const heat = el(
    "table",
    { class: "matrix" },
    el(
      "thead",
      {},
      el(
        "tr",
        {},
        el("th", { scope: "col" }, "predicted class"),
        el("th", { class: "num", scope: "col" }, "nodes"),
        data.motifs.map((m) => el("th", { class: "num", scope: "col", title: m.title }, m.name)),
      ),
    ),
    el(
      "tbody",
      {},
      data.weights.classes.map((c) =>
        el(
          "tr",
          {},
          el("th", { scope: "row", title: c.name }, short(c.name, 28)),
          el("td", { class: "num" }, whole(c.size)),
          c.weights.map((w, t) =>
            setShare(el("td", { class: "num heat", title: `± ${percent(c.deviation[t])}` }, percent(w)), 65 * w),
          ),
        ),
      ),
    ),
  );
  box.append(
    el("h3", {}, "Motif weights by class"),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Motif weights by class" }, heat),
  );
  if (data.roles.length) {
    const roleRows = data.roles.map((role, i) => {
      const order = role.classes
        .map((share, c) => [share, c])
        .sort((a, b) => b[0] - a[0])
        .filter(([share]) => share >= 0.01)
        .slice(0, 3);
      const typical = role.representatives
        .map((v) =>
          nodes.shown === nodes.total
            ? el("button", { class: "link", type: "button", click: () => openNode(v) }, nodes.name[v])
            : null,
        )
        .filter(Boolean);
      return [
        el("td", { class: "one" }, sign(i), `role ${i + 1}`),
        role.size,
        role.degree.toFixed(1),
        order.map(([share, c]) => `${data.classes[c]} ${percent(share, 0)}`).join(", "),
        el(
          "td",
          { class: "name" },
          typical.flatMap((t, k) => (k ? [", ", t] : [t])),
        ),
      ];
    });
    box.append(
      el("h3", {}, "Roles"),
      table(["role", "nodes", "neighbours per node", "predicted classes", "typical nodes"], roleRows, {
        label: "Roles",
      }),
      el(
        "p",
        { class: "note" },
        "Groups of nodes that are alike in motif-level space, wherever in the graph they are.",
      ),
    );
  }
  return box;
}
