const root = document.documentElement,
  toggle = document.getElementById("theme");
const dark = window.matchMedia("(prefers-color-scheme: dark)");
const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : dark.matches);
function showTheme() {
  toggle.textContent = isDark() ? "Light" : "Dark";
  toggle.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  window.dispatchEvent(new Event("themechange"));
}
// A page opened from a file may have no storage; then the choice lasts as long as the page.
try {
  const kept = localStorage.getItem("infomotif-theme");
  if (kept === "dark" || kept === "light") root.dataset.theme = kept;
} catch {
  /* no storage */
}
toggle.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  try {
    localStorage.setItem("infomotif-theme", root.dataset.theme);
  } catch {
    /* no storage */
  }
  showTheme();
});
dark.addEventListener("change", showTheme);

const SECTIONS = [
  ["Summary", summarySection],
  ["Tried", choiceSection],
  ["Training", trainingSection],
  ["Quality", qualitySection],
  ["Motifs", motifSection],
  ["Neighbourhoods", neighbourhoodsSection],
  ["Map", mapSection],
  ["Nodes", nodesSection],
];
const main = document.getElementById("content"),
  nav = document.getElementById("nav");
for (const [title, build] of SECTIONS) {
  const section = build();
  if (!section) continue;
  main.append(section);
  nav.append(el("a", { href: `#${section.id}` }, title));
}
showTheme();
followHash();
root.dataset.ready = "yes";
