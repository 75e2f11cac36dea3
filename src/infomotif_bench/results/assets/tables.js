// Adds a search box and sortable columns to every table in an element of class im-table. Needs nothing else.
(() => {
  const number = (text) => {
    const found = text.match(/^[^\d+\-.]*([+-]?\d+(?:\.\d+)?)/);
    return found ? Number(found[1]) : NaN;
  };
  const compare = (a, b) => {
    if (a === b) return 0;
    // Empty cells stay last in either direction.
    if (!a || !b) return null;
    const [x, y] = [number(a), number(b)];
    const numeric = !Number.isNaN(x) && !Number.isNaN(y) && !/^[a-z]/i.test(a) && !/^[a-z]/i.test(b);
    return numeric && x !== y ? x - y : a.localeCompare(b, "en", { numeric: true });
  };

  function enhance(box) {
    const table = box.querySelector("table");
    const body = table.tBodies[0];
    const rows = [...body.rows];
    const texts = rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()));
    const haystacks = texts.map((cells) => cells.join(" ").toLowerCase());
    const search = document.createElement("input");
    search.type = "search";
    search.placeholder = box.dataset.hint || "Search";
    search.setAttribute("aria-label", `Search: ${table.caption ? table.caption.textContent : "table"}`);
    const count = document.createElement("span");
    count.setAttribute("role", "status");
    const bar = document.createElement("div");
    bar.className = "im-bar";
    bar.append(search, count);
    box.prepend(bar);

    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let left = 0;
      rows.forEach((row, i) => {
        row.hidden = !words.every((word) => haystacks[i].includes(word));
        left += !row.hidden;
      });
      count.textContent = `${left} of ${rows.length} rows`;
    };
    search.addEventListener("input", filter);
    filter();

    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const down = head.getAttribute("aria-sort") === "ascending";
        for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const order = rows.map((_, i) => i).sort((i, j) => {
          const [a, b] = [texts[i][column], texts[j][column]];
          const result = compare(a, b);
          if (result === null) return a ? -1 : 1;
          return (down ? -result : result) || i - j;
        });
        body.append(...order.map((i) => rows[i]));
      });
    });
  }

  const start = () => document.querySelectorAll(".im-table").forEach(enhance);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
