const PAGE = 25;

function nodesSection() {
  const columns = [
    ["node", (v) => nodes.name[v]],
    ["predicted", (v) => className(nodes.predicted[v])],
    ["confidence", (v) => (classed(v) ? nodes.top[v][1] / 1000 : -1), (x) => (x < 0 ? "" : percent(x, 0))],
    ["class", (v) => (nodes.label[v] < 0 ? "" : className(nodes.label[v]))],
    nodes.base ? [`${MODELS.base} says`, (v) => (classed(v) ? className(nodes.base[v][0]) : "")] : null,
    ["split", (v) => (nodes.part[v] ? PARTS[nodes.part[v]] : "")],
    ["neighbours", (v) => nodes.degree[v], whole],
    ["labels nearby", (v) => nodes.fraction[v] / 1000, (x) => percent(x, 0)],
    nodes.alpha ? ["top motif", (v) => data.motifs[dominant(v)].name] : null,
    data.roles.length ? ["role", (v) => nodes.role[v] + 1, (x) => (x ? String(x) : "–")] : null,
  ].filter(Boolean);
  const option = (value, text) => el("option", { value }, text);
  const search = el("input", {
    type: "search",
    id: "search",
    placeholder: "part of a name",
    autocomplete: "off",
    spellcheck: "false",
  });
  const byClass = el(
    "select",
    { id: "by-class" },
    option("", "all"),
    data.classes.map((c, i) => option(i, c)),
  );
  const byPart = el(
    "select",
    { id: "by-split" },
    option("", "all"),
    PARTS.map((p, i) => option(i, p)),
  );
  const byOutcome = el(
    "select",
    { id: "by-outcome" },
    option("", "all"),
    OUTCOMES.slice(0, nodes.base ? 4 : 2).map((o, i) => option(i, o)),
  );
  const body = el("tbody"),
    head = el("tr"),
    count = el("p", { class: "note", "aria-live": "polite", id: "found" });
  const previous = el("button", { type: "button", click: () => turn(-1) }, "Previous"),
    next = el("button", { type: "button", click: () => turn(1) }, "Next");
  const pageNumber = el("span", { class: "note" });
  let sorted = [null, 1],
    page = 0,
    matches = [];
  const lower = Array.from({ length: nodes.shown }, (_, v) => nodes.name[v].toLowerCase());

  function filter() {
    const text = search.value.trim().toLowerCase();
    matches = [];
    for (let v = 0; v < nodes.shown; v++) {
      if (text && !lower[v].includes(text)) continue;
      if (byClass.value !== "" && nodes.predicted[v] !== Number(byClass.value)) continue;
      if (byPart.value !== "" && nodes.part[v] !== Number(byPart.value)) continue;
      if (byOutcome.value !== "" && outcomeOf(v) !== Number(byOutcome.value)) continue;
      matches.push(v);
    }
    const [column, direction] = sorted;
    if (column) {
      const value = column[1];
      matches.sort((a, b) => {
        const p = value(a),
          q = value(b);
        return direction * (typeof p === "number" ? p - q : p.localeCompare(q, "en", { numeric: true }));
      });
    }
    page = 0;
    show();
  }
  function turn(by) {
    page += by;
    show();
  }
  function show() {
    const pages = Math.max(1, Math.ceil(matches.length / PAGE));
    page = Math.max(0, Math.min(page, pages - 1));
    count.textContent = `${plural(matches.length, "node")} of ${whole(nodes.shown)}`;
    pageNumber.textContent = `page ${page + 1} of ${whole(pages)}`;
    previous.disabled = page === 0;
    next.disabled = page === pages - 1;
    body.replaceChildren(
      ...matches.slice(page * PAGE, (page + 1) * PAGE).map((v) =>
        el(
          "tr",
          {},
          columns.map(([title, value, format], i) => {
            const x = value(v);
            if (i === 0)
              return el(
                "td",
                { class: "name" },
                el("button", { class: "link", type: "button", click: () => openNode(v) }, x),
              );
            if (title === "predicted")
              return el(
                "td",
                { class: "one" },
                sign(nodes.predicted[v]),
                " ",
                el(
                  "span",
                  { class: nodes.label[v] < 0 ? null : nodes.label[v] === nodes.predicted[v] ? "good" : "bad" },
                  x,
                ),
              );
            return el("td", { class: typeof x === "number" ? "num" : null }, format ? format(x) : x);
          }),
        ),
      ),
    );
  }
  function heads() {
    head.replaceChildren(
      ...columns.map((column) => {
        const current = sorted[0] === column;
        return el(
          "th",
          {
            scope: "col",
            class: typeof column[1](0) === "number" ? "num" : null,
            "aria-sort": current ? (sorted[1] > 0 ? "ascending" : "descending") : "none",
          },
          el(
            "button",
            {
              type: "button",
              click: () => {
                sorted = [column, current ? -sorted[1] : 1];
                heads();
                filter();
              },
            },
            column[0],
          ),
        );
      }),
    );
  }
  for (const input of [byClass, byPart, byOutcome]) input.addEventListener("change", filter);
  search.addEventListener("input", filter);
  heads();
  filter();
  return el(
    "section",
    { id: "nodes" },
    el("h2", {}, "Nodes"),
    el(
      "div",
      { class: "controls" },
      el("label", {}, "Search", search),
      el("label", {}, "Predicted class", byClass),
      el("label", {}, "Split", byPart),
      el("label", {}, "Outcome", byOutcome),
    ),
    count,
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": "Nodes" },
      el("table", {}, el("thead", {}, head), body),
    ),
    el("div", { class: "pages" }, previous, next, pageNumber),
  );
}
