// The window: which part is shown, and how it reacts to changes of the book and events of the server.

import { ask, listen, windowId } from "./api.mjs";
import { book, closeBook, onBook, openBook, reload, step } from "./book.mjs";
import { drawBuild, showProgress, refreshBuild, startBuild } from "./build.mjs";
import { afterPause, byId, el, loadWords, marked, refill, say, toast } from "./dom.mjs";
import { drawTab, dropPicture, dropTyped, focusKey, formTabs, labelsOf, loadForm, refreshForm, tabOf, tint } from "./form.mjs";
import { setOutlook } from "./levels.mjs";
import { closePages, onSelect, placeOf, refreshPages, showKey, showPage, showView } from "./pages.mjs";
import { refreshPuzzle } from "./puzzle.mjs";
import { drawCalendar, makeDays } from "./feed.mjs";
import { drawShelf } from "./shelf.mjs";
import { drawText, dropText, holdText, refreshText, showLine, write } from "./text.mjs";

let tab = "", problems = null;
let shown = "", opening = ""; // the files of the shown book, and of the book that is being opened
let lastTurn = 0; // the turn of the last event about the book that is being opened; the answer may be older
const OWN_TABS = ["text", "problems", "build"];

/** Leave the present part of the window, and write what is being typed. */
function leave() {
  document.activeElement?.blur();
  byId("dialog").close();
}

async function open(file) {
  if (file === opening) return; // a double click
  leave();
  opening = file;
  byId("state").textContent = say("opening", { file });
  try {
    await openBook(file);
    if (opening === file) await loadForm(book.kind);
  } catch (error) {
    toast(error.message);
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
  if (book.turn < lastTurn) reload();
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

function show(name, isViewKept = false) {
  tab = name;
  drawTabs();
  drawPanel();
  byId("panel").scrollTop = 0;
  if (!isViewKept && ["page", "levels", "cover"].includes(name)) showView(name === "cover" ? "cover" : "page");
}

byId("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const names = [...formTabs(), ...OWN_TABS];
  show(names[(names.indexOf(tab) + step + names.length) % names.length]);
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
    el("button", { type: "button", class: "quiet", onclick: () => showProblem(problem) },
      el("strong", {}, labelsOf(problem.key) || book.file),
      el("span", {}, ...marked(problem.message)), problem.line ? el("span", { class: "meaning" }, say("line", { line: problem.line })) : null))))];
}

function showProblem(problem) {
  const name = tabOf(problem.key[0]);
  if (name) {
    show(name);
    if (focusKey(problem.key)) return;
  }
  show("text");
  if (problem.line) showLine(problem.line);
}

const check = afterPause(250, async () => {
  const file = book.file;
  if (!file) return;
  const answer = await ask("problems", { file }).catch(() => null);
  if (!answer || file !== shown) return;
  problems = answer.problems;
  setOutlook(answer.outlook);
  drawTabs();
  if (tab === "problems") refill(byId("panel"), ...drawProblems());
});

function update() {
  byId("title").textContent = book.values.title ?? book.file;
  document.title = `${book.values.title ?? book.file} – linkpress studio`;
  for (const id of ["home", "undo", "redo", "build"]) byId(id).hidden = false;
  for (const name of ["undo", "redo"]) {
    byId(name).disabled = !book[name];
    byId(name).title = book[name] ? say(`${name}Of`, { what: labelsOf(book[name]) || say("tabs.text") }) : "";
  }
  showState();
  byId("build").textContent = say(isFeed() ? "makeDays" : "build");
  refreshPreview();
  check();
}

const isFeed = () => book.kind === "feed";

onBook(() => {
  if (book.file !== shown) return;
  refreshForm();
  if (tab === "text") refreshText();
  if (tab === "build") refreshBuild();
  update();
});

const refreshPreview = afterPause(30, async () => {
  if (!shown) return;
  if (isFeed()) return drawCalendar();
  await refreshPages();
  return refreshPuzzle();
});

function showState() {
  if (book.unreadable !== null) byId("state").textContent = say("unreadable", { line: book.unreadable });
  else byId("state").textContent = say(book.elsewhere ? "builtElsewhere" : book.saved ? "saved" : "unsaved");
}

function handle(event) {
  if (event.event === "shelf" && !byId("shelf").hidden) refreshShelf();
  if (event.file === opening || event.event === "hello") lastTurn = event.turn;
  if (event.file !== book.file || !book.file) return;
  if (event.event === "changed" && event.window !== windowId) {
    reload();
    if (event.elsewhere) toast(say("elsewhere"));
  }
  if (event.event === "elsewhere" || event.event === "build") book.turn = event.turn;
  if (event.event === "elsewhere") { book.elsewhere = event.working; showState(); refreshPreview(); }
  if (event.event === "build") showProgress(event.build);
  if (event.event === "made") refreshPreview();
  if (event.event === "unmet") { toast(say("unmetLevel", event)); check(); }
  if (event.event === "unmade") toast(event.message);
}

onSelect((key, isFocused) => {
  const name = tabOf(key[0]);
  if (!name) return;
  if (tab !== name) show(name, true);
  // A new name would replace the puzzles of its level, so the printed title is offered instead.
  if (isFocused) focusKey(key[0] === "levels" && key[2] === "name" ? [...key.slice(0, 2), "title"] : key);
});

// The browser would open a dropped file in place of the studio.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => {
  if (event.defaultPrevented || !event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  if (kind === "drop") dropPicture(event.dataTransfer.files[0], show);
});

let turning;
byId("panel").addEventListener("focusin", ({ target }) => {
  const path = target.closest("[data-path]")?.dataset.path;
  clearTimeout(turning);
  if (path) turning = setTimeout(() => showKey(JSON.parse(path)), 150);
});

byId("home").addEventListener("click", home);
/** Undo or redo a change of the file, and show what it changed. */
async function stepBack(name) {
  write(); // what is being typed in the text comes before
  const isField = byId("form")?.contains(document.activeElement), state = await holdText(step(name));
  const path = state[name === "undo" ? "redo" : "undo"];
  if (!path?.length || state.file !== book.file || book.version !== state.version || tab === "text") return;
  if (path[0] === "replace") { showPage(placeOf(path[1])); return; }
  const place = tabOf(path[0]);
  if (place && place !== tab) show(place);
  if (isField) focusKey(path);
  tint(path);
}

byId("undo").addEventListener("click", () => stepBack("undo"));
byId("redo").addEventListener("click", () => stepBack("redo"));
byId("build").addEventListener("click", () => {
  if (book.unreadable !== null) { showProblem(book.problems[0]); return; }
  show("build"); 
  if (isFeed()) makeDays(); else startBuild();
});
/**
 * Undo or redo by a key. Undo first drops what is being typed in the field. The browser's own undo would also change
 * other fields, and the file would not follow.
 */
function stepByKey(event, name) {
  if (!book.file || event.target.closest("dialog")) return;
  event.preventDefault();
  const isDropped = name === "undo" && (event.target.matches(".yaml") ? dropText() : dropTyped(event.target));
  if (!isDropped) stepBack(name);
}
addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey)) return;
  const key = event.key.toLowerCase();
  if (key === "z") stepByKey(event, event.shiftKey ? "redo" : "undo");
  if (key === "y") stepByKey(event, "redo");
});
addEventListener("beforeinput", (event) => {
  const name = { historyUndo: "undo", historyRedo: "redo" }[event.inputType];
  if (name) stepByKey(event, name);
});
addEventListener("unhandledrejection", (event) => toast(event.reason?.message ?? String(event.reason)));

await loadWords();
listen(handle, (isLost) => {
  document.body.classList.toggle("lost", isLost);
  if (isLost) byId("state").textContent = say("lost");
  else if (shown) reload();
  else if (!byId("shelf").hidden) refreshShelf();
});
function openAddress() {
  let file = "";
  try { file = decodeURIComponent(location.hash.slice(1)); } catch { /* not a valid address */ }
  if (file && file !== book.file) open(file);
  else if (!file && (shown || byId("shelf").hidden)) home();
}
addEventListener("hashchange", openAddress);
addEventListener("pagehide", leave);
openAddress();
