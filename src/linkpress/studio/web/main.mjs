// The window: which part is shown, and what happens when the book or the server has something new.

import { ask, listen, windowId } from "./api.mjs";
import { book, closeBook, onBook, openBook, reload, step } from "./book.mjs";
import { drawBuild, hearBuild, refreshBuild, startBuild } from "./build.mjs";
import { afterPause, byId, el, loadWords, marked, refill, say, toast } from "./dom.mjs";
import { drawTab, focusKey, formTabs, labelOf, loadForm, refreshForm, tabOf } from "./form.mjs";
import { setOutlook } from "./levels.mjs";
import { closePages, refreshPages, showView } from "./pages.mjs";
import { refreshPuzzle } from "./puzzle.mjs";
import { drawCalendar, makeDays } from "./feed.mjs";
import { drawShelf } from "./shelf.mjs";
import { drawText, refreshText, showLine } from "./text.mjs";

let tab = "", problems = null;
let shown = "", opening = ""; // the files of the book on the desk, and of one that is to come there
let heard = 0; // the turn of what was heard last of the book that is to come, which may come as it was before
const OWN_TABS = ["text", "problems", "build"];

/** Leave what is there; what is being typed is written. */
function leave() {
  document.activeElement?.blur();
  byId("dialog").close();
}

async function open(file) {
  if (file === opening) return; // a double click
  leave();
  opening = file;
  try {
    await openBook(file);
    if (opening === file) await loadForm(book.kind);
  } catch (fault) {
    toast(fault.message);
    if (opening === file) home();
    return;
  }
  if (opening !== file) return; // another one was opened meanwhile
  opening = "";
  shown = file;
  location.hash = encodeURIComponent(file);
  byId("shelf").hidden = true;
  byId("desk").hidden = false;
  problems = null;
  [tab] = formTabs();
  closePages();
  drawTabs();
  drawPanel();
  update();
  if (book.turn < heard) reload();
}

function home() {
  leave();
  location.hash = shown = opening = "";
  closeBook();
  document.title = "linkpress studio";
  byId("title").textContent = "linkpress studio";
  byId("desk").hidden = true;
  byId("shelf").hidden = false;
  for (const id of ["home", "undo", "redo", "build"]) byId(id).hidden = true;
  byId("state").textContent = "";
  closePages();
  refreshShelf();
}

const refreshShelf = afterPause(0, () => drawShelf(open));

function drawTabs() {
  const names = [...formTabs(), ...OWN_TABS];
  refill(byId("tabs"), ...names.map((name) => {
    const count = name === "problems" && problems?.length ? ` (${problems.length})` : "";
    return el("button", {
      type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(tab === name), tabindex: tab === name ? 0 : -1,
      onclick: () => show(name),
    }, say(`tabs.${name}`) + count);
  }));
}

function show(name) {
  tab = name;
  drawTabs();
  drawPanel();
  byId("panel").scrollTop = 0;
  if (["page", "levels", "cover"].includes(name)) showView(name === "cover" ? "cover" : "page");
}

byId("tabs").addEventListener("keydown", (event) => {
  const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!way) return;
  const names = [...formTabs(), ...OWN_TABS];
  show(names[(names.indexOf(tab) + way + names.length) % names.length]);
  byId(`tab-${tab}`).focus();
});

function drawPanel() {
  const panel = byId("panel");
  panel.setAttribute("aria-labelledby", `tab-${tab}`);
  if (tab === "text") panel.replaceChildren(drawText());
  else if (tab === "problems") panel.replaceChildren(...drawProblems());
  else if (tab === "build") panel.replaceChildren(drawBuild());
  else panel.replaceChildren(drawTab(tab));
}

function drawProblems() {
  if (problems === null) return [el("p", {}, say("problems_wait"))];
  if (!problems.length) return [el("p", { class: "good" }, say("problems_none"))];
  return [el("p", {}, say("problems_some")), el("ul", { class: "problems" }, ...problems.map((problem) => el("li", {},
    el("button", { type: "button", class: "quiet", onclick: () => lead(problem) },
      el("strong", {}, problem.key.map((step) => (Number.isInteger(step) ? step + 1 : labelOf(step))).join(" › ") || book.file),
      el("span", {}, ...marked(problem.message)), problem.line ? el("span", { class: "meaning" }, say("line", { line: problem.line })) : null))))];
}

function lead(problem) {
  const name = tabOf(problem.key[0]);
  if (name) {
    show(name);
    if (focusKey(problem.key)) return;
  }
  show("text");
  if (problem.line) showLine(problem.line);
}

const judge = afterPause(250, async () => {
  const file = book.file;
  if (!file) return;
  const told = await ask("problems", { file }).catch(() => null);
  if (!told || file !== shown) return;
  problems = told.problems;
  setOutlook(told.outlook);
  drawTabs();
  if (tab === "problems") refill(byId("panel"), ...drawProblems());
});

function update() {
  byId("title").textContent = book.values.title ?? book.file;
  document.title = `${book.values.title ?? book.file} – linkpress studio`;
  for (const id of ["home", "undo", "redo", "build"]) byId(id).hidden = false;
  byId("undo").disabled = !book.undo;
  byId("redo").disabled = !book.redo;
  tellState();
  byId("build").textContent = say(isFeed() ? "makeDays" : "build");
  seeNewPuzzles();
  judge();
}

const isFeed = () => book.kind === "feed";

onBook(() => {
  if (book.file !== shown) return;
  refreshForm();
  if (tab === "text") refreshText();
  if (tab === "build") refreshBuild();
  update();
});

const seeNewPuzzles = afterPause(30, async () => {
  if (!shown) return;
  if (isFeed()) return drawCalendar();
  await refreshPages();
  return refreshPuzzle();
});

function tellState() {
  byId("state").textContent = say(book.elsewhere ? "builtElsewhere" : "saved");
}

function hear(event) {
  if (event.event === "shelf" && !byId("shelf").hidden) refreshShelf();
  if (event.file === opening || event.event === "hello") heard = event.turn;
  if (event.file !== book.file || !book.file) return;
  if (event.event === "changed" && event.window !== windowId) {
    reload();
    if (event.elsewhere) toast(say("elsewhere"));
  }
  if (event.event === "elsewhere" || event.event === "build") book.turn = event.turn;
  if (event.event === "elsewhere") { book.elsewhere = event.working; tellState(); seeNewPuzzles(); }
  if (event.event === "build") hearBuild(event.build);
  if (event.event === "made") seeNewPuzzles();
  if (event.event === "unmet") { toast(say("unmetLevel", event)); judge(); }
  if (event.event === "unmade") toast(event.message);
}

byId("home").addEventListener("click", home);
byId("undo").addEventListener("click", () => step("undo"));
byId("redo").addEventListener("click", () => step("redo"));
byId("build").addEventListener("click", () => { show("build"); if (isFeed()) makeDays(); else startBuild(); });
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.target.matches("textarea, input")) return;
  const key = event.key.toLowerCase();
  if (key === "z" && book.file) { event.preventDefault(); step(event.shiftKey ? "redo" : "undo"); }
  if (key === "y" && book.file) { event.preventDefault(); step("redo"); }
});
addEventListener("unhandledrejection", (event) => toast(event.reason?.message ?? String(event.reason)));

await loadWords();
listen(hear, (isLost) => {
  document.body.classList.toggle("lost", isLost);
  if (isLost) byId("state").textContent = say("lost");
  else if (shown) reload();
  else if (!byId("shelf").hidden) refreshShelf();
});
function goTo() {
  let file = "";
  try { file = decodeURIComponent(location.hash.slice(1)); } catch { /* an address that nobody can mean */ }
  if (file && file !== book.file) open(file);
  else if (!file && (shown || byId("shelf").hidden)) home();
}
addEventListener("hashchange", goTo);
addEventListener("pagehide", leave);
goTo();
