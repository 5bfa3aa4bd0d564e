// The window: what is shown in its zones, and how it reacts to changes of the book and events of the server.

import { ask, listen, windowId } from "./api.mjs";
import { book, closeBook, onBook, openBook, reload, step } from "./book.mjs";
import { drawBuild, isBuilding, isFinished, progressWords, showProgress, refreshBuild, startBuild, stopBuild } from "./build.mjs";
import { afterPause, byId, el, loadWords, marked, quiet, refill, say, toast } from "./dom.mjs";
import { drawPart, dropPicture, dropTyped, focusKey, keyOfPart, labelsOf, loadForm, nameOfPart, partNames, partOf, refreshForm, tint } from "./form.mjs";
import { goToZone, openFinder, showKeys } from "./keys.mjs";
import { hopeOf, setOutlook } from "./levels.mjs";
import { closePages, countWaiting, leaveFinished, levelOf, onPlace, placeOf, refreshPages, showPage, showPart, showView } from "./pages.mjs";
import { refreshPuzzle } from "./puzzle.mjs";
import { drawRail } from "./rail.mjs";
import { dayName, drawCalendar, drawDay, makeDays, makeWords } from "./feed.mjs";
import { onSelection, select, selection } from "./selection.mjs";
import { drawShelf, showBuildOf } from "./shelf.mjs";
import { drawText, dropText, holdText, lineOf, refreshText, showLine, write } from "./text.mjs";

let pane = "settings"; // what the inspector shows: the settings of the selected part, the file, the problems or the build
let problems = null, spoken = "";
let shown = "", opening = ""; // the files of the shown book, and of the book that is being opened
let lastTurn = 0; // the turn of the last event about the book that is being opened; the answer may be older

const BAR = ["home", "edition", "undo", "redo", "file", "build"]; // the buttons that belong to an open book

function leave() {
  document.activeElement?.blur();
  byId("dialog").close();
}

async function open(file, part = "") {
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
  byId("shelf").hidden = true;
  byId("desk").hidden = false;
  problems = null;
  closePages();
  if (!location.hash) history.pushState(null, "", `#${encodeURIComponent(file)}`);
  selection.part = "";
  const first = partNames().includes(part) ? part : partOf(["title"], "");
  select(first, keyOfPart(first));
  show(isBuilding() ? "build" : "settings", false);
  openSheet("");
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
  for (const id of BAR) byId(id).hidden = true;
  refill(byId("state"));
  closePages();
  refreshShelf();
}

const refreshShelf = afterPause(0, () => drawShelf(open));

function show(name, isSheet = name !== "settings") {
  pane = name;
  drawPanel();
  if (name === "build" && isFinished()) showView("finished"); else leaveFinished();
  byId("panel").scrollTop = 0;
  openSheet(isSheet ? "inspector" : byId("desk").dataset.sheet);
}

/** Select a part, show its settings and its first page. In the file, show its lines. */
function go(part, isSheet = false) {
  select(part, keyOfPart(part));
  if (pane !== "file") show("settings");
  if (book.kind === "book") showPart(part);
  openSheet(isSheet || pane === "file" ? "inspector" : "");
}

function drawPanel() {
  const isSettings = pane === "settings", draw = { file: () => [drawText(followCursor)], problems: drawProblems, build: () => [drawBuild()], day: () => [drawDay()] }[pane];
  byId("desk").dataset.pane = pane;
  byId("file").setAttribute("aria-pressed", String(pane === "file"));
  refill(byId("inspector-head"), el("h2", isSettings ? nameOfPart(selection.part) : pane === "file" ? book.file : pane === "day" ? dayName() : say(`panes.${pane}`)),
    !isSettings && quiet("close", () => { show("settings"); byId("panel").focus(); }, { id: "close-pane" }),
    quiet("moreSettings", () => byId("desk").toggleAttribute("data-full"), { class: "quiet sheet-tool" }),
    quiet("done", () => openSheet(""), { class: "quiet sheet-tool" }));
  byId("panel").replaceChildren(...(isSettings ? [drawPart(selection.part)] : draw()));
  if (pane === "file") showLine(lineOf(selection.key) || 1);
}

function followCursor(key) {
  const part = partOf(key);
  if (part && String(key) !== String(selection.key)) select(part, key);
}

onSelection((before) => {
  if (!shown) return;
  clearTimeout(turning); // a field that was focused in the part before
  drawRail(go);
  if (pane === "file") showLine(lineOf(selection.key) || 1);
  if (selection.part === before.part) return;
  if (pane === "settings") show("settings");
  const address = `#${encodeURIComponent(book.file)}/${selection.part}`;
  if (location.hash !== address) history[before.part ? "pushState" : "replaceState"](null, "", address);
});

function drawProblems() {
  if (!problems?.length) return [el("p.good", say("problems_none"))];
  return [el("p", say("problems_some")), problemList(problems)];
}

export const problemList = (list) => el("ul.problems", list.map((problem) => el("li",
  el("button.quiet", { onclick: () => showProblem(problem) },
    el("strong", labelsOf(problem.key) || book.file),
    el("span", marked(problem.message)), problem.line > 0 && el("span.meaning", say("line", problem))))));

function showProblem(problem) {
  if (partOf(problem.key) && book.unreadable === null && !book.mending && showKey(problem.key)) return;
  show("file");
  showLine(problem.line || 1, true);
}

/** Show the field of a key, and return whether there is one. */
function showKey(key) {
  go(partOf(key));
  show("settings", true);
  return focusKey(key);
}

let problemsSeen = 0;

function showNextProblem() {
  const all = (book.unreadable === null ? problems : book.problems) ?? [];
  if (all.length) showProblem(all[problemsSeen++ % all.length]);
  else if (hopeless()) showReason("level");
  else toast(say("problems_none"));
}

function showReason(kind) {
  if (kind === "build") { show("build"); return; }
  if (kind === "level") { go(hopeless()); openSheet("inspector"); return; }
  const all = book.unreadable === null ? problems : book.problems;
  if (all.length === 1) { showProblem(all[0]); return; }
  show("problems");
}

const check = afterPause(250, async () => {
  const file = book.file;
  if (!file) return;
  const answer = await ask("problems", { file }).catch(() => null);
  if (!answer || file !== shown) return;
  problems = answer.problems;
  setOutlook(answer.outlook, answer.problems);
  drawRail(go);
  showState();
  if (pane === "problems") refill(byId("panel"), drawProblems());
});

function update() {
  byId("title").textContent = book.values.title ?? book.file;
  for (const id of BAR) byId(id).hidden = id === "edition" && isFeed();
  for (const name of ["undo", "redo"]) {
    byId(name).disabled = !book[name];
    byId(name).title = book[name] ? say(`${name}Of`, { what: labelsOf(book[name]) || say("panes.file") }) : "";
  }
  showState();
  drawRail(go);
  refreshPreview();
}

const isFeed = () => book.kind === "feed";

onBook(() => {
  if (book.file !== shown) return;
  const names = partNames();
  if (!names.includes(selection.part)) { // its level was removed
    const part = names.findLast((name) => name.startsWith("levels/")) ?? names[0];
    select(part, keyOfPart(part));
  }
  refreshForm();
  if (pane === "settings") byId("inspector-head").firstChild.textContent = nameOfPart(selection.part);
  if (pane === "file") refreshText();
  if (pane === "build") refreshBuild();
  update();
});

const refreshPreview = afterPause(30, async () => {
  if (!shown) return;
  if (isFeed()) {
    check();
    await drawCalendar(() => show("day"), (weekday) => { go("week"); focusKey(["week", weekday]); });
    return showState();
  }
  await refreshPages();
  check(); // not before, since it takes longer than drawing the pages in view
  refreshBuild();
  drawRail(go);
  showState();
  return refreshPuzzle();
});

const hopeless = () => partNames().find((name) => name.startsWith("levels/") && hopeOf(Number(name.slice(7))));

/** Return how things stand: the kind of fact, its words, and what a click on them leads to. */
function stateNow() {
  const level = hopeless(), end = book.build?.end, waiting = countWaiting();
  if (book.unreadable !== null) return ["bad", say("unreadable", { line: book.unreadable }), "problem"];
  if (isBuilding()) return ["busy", progressWords(book.build), "build"];
  if (book.elsewhere) return ["busy", say("builtElsewhere")];
  if (level) return ["bad level", `${nameOfPart(level)} ${hopeOf(Number(level.slice(7)))}.`, "level"];
  if (problems?.length) return ["bad", say(problems.length === 1 ? "problemsOne" : "problemsMany", { count: problems.length }), "problem"];
  if (end?.event === "failed") return ["bad", say("buildFailed"), "build"];
  if (!book.saved) return ["busy", say("unsaved")];
  const saved = say("saved", { file: book.file });
  if (end?.event === "done" && book.kind === "book") return ["good", `${saved} · ${say(book.build.version === book.version ? "builtNow" : "builtBefore")}`, "build"];
  return ["good", waiting ? `${saved} · ${say("making", { count: waiting })}` : saved];
}

function showState() {
  if (!shown || document.body.classList.contains("lost")) return;
  const [kind, words, leadsTo] = stateNow(), state = byId("state"), isRunning = isBuilding(), { made, count } = book.build ?? {};
  state.className = kind;
  state.setAttribute("aria-live", isRunning ? "off" : "polite");
  refill(state, el("span.dot", { "aria-hidden": "true" }), el("span.words", { title: words }, words), leadsTo && quiet("showReason", () => showReason(leadsTo), { id: "show-reason" }));
  const title = book.values.title ?? book.file;
  document.title = `${isRunning && count ? `${say("buildMade", { made, count })} – ` : ""}${title} – linkpress studio`;
  const quarter = isRunning && count ? `${25 * Math.floor(4 * made / count)} %` : "";
  if (quarter !== spoken) byId("spoken").textContent = spoken = quarter;
  byId("build").textContent = isFeed() && !isRunning ? makeWords() || say("allMade") : say(isRunning ? "stop" : "build");
  byId("build").disabled = isFeed() && !isRunning && !makeWords();
  byId("build").classList.toggle("chief", !isRunning && !(pane === "build" && isFinished()));
}

function handle(event) {
  if (!byId("shelf").hidden && event.event === "build" && !event.build.end) showBuildOf(event.file, event.build);
  else if (!byId("shelf").hidden && ["shelf", "build"].includes(event.event)) refreshShelf();
  if (event.file === opening || event.event === "hello") lastTurn = event.turn;
  if (event.file !== book.file || !book.file) return;
  if (event.event === "changed" && event.window !== windowId) {
    reload();
    if (event.elsewhere) toast(say("elsewhere"));
  }
  if (event.event === "elsewhere" || event.event === "build") book.turn = event.turn;
  if (event.event === "elsewhere") { book.elsewhere = event.working; showState(); refreshPreview(); }
  if (event.event === "build") { showProgress(event.build); showState(); }
  if (event.event === "made") refreshPreview();
  if (event.event === "unmet") { toast(say("unmetLevel", event)); check(); }
  if (event.event === "unmade") toast(event.message);
}

onPlace((key, isFocused) => {
  if (pane === "file") return;
  if (pane !== "settings") show("settings");
  // A new name would replace the puzzles of its level, so the printed title is offered instead.
  if (isFocused) focusKey(key[0] === "levels" && key[2] === "name" ? [...key.slice(0, 2), "title"] : key);
});

// The browser would open a dropped file in place of the studio.
for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => {
  if (event.defaultPrevented || !event.dataTransfer.types.includes("Files")) return;
  event.preventDefault();
  if (kind === "drop") dropPicture(event.dataTransfer.files[0], (key) => go(partOf(key)));
});

let turning;
byId("panel").addEventListener("focusin", ({ target }) => {
  const path = target.closest("[data-path]")?.dataset.path;
  clearTimeout(turning);
  if (!path) return;
  const key = JSON.parse(path), isSamePart = String(key.slice(0, 2)) === String(selection.key.slice(0, 2));
  turning = setTimeout(() => select(selection.part, key, isSamePart ? selection.puzzle : null), 150);
});

byId("home").onclick = home;

/** In a narrow window, show the rail or the inspector below the page, or neither for an empty name. */
function openSheet(name) {
  byId("desk").dataset.sheet = name;
  if (!name) byId("desk").removeAttribute("data-full");
  const chosen = name !== "inspector" ? name : pane === "settings" ? "" : pane;
  for (const tab of byId("sheets").children) tab.setAttribute("aria-pressed", String(tab.value === chosen));
}
byId("sheets").onclick = ({ target }) => {
  const name = target.closest("button")?.value;
  if (name === undefined) return;
  if (name === "rail" || name === "") { openSheet(name); return; }
  if (name === "build" && !isBuilding() && !book.build?.end) { byId("build").click(); return; }
  show(name, true);
};
openSheet("");

async function stepBack(name) {
  write(); // what is being typed in the text comes before
  const isField = byId("form")?.contains(document.activeElement), state = await holdText(step(name));
  const path = state[name === "undo" ? "redo" : "undo"];
  if (!path?.length || state.file !== book.file || book.version !== state.version || pane === "file") return;
  if (path[0] === "replace") { showPage(placeOf(path[1])); return; }
  const part = partOf(path);
  if (part && (part !== selection.part || pane !== "settings")) go(part);
  if (isField) focusKey(path);
  tint(path);
}

byId("undo").onclick = () => stepBack("undo");
byId("redo").onclick = () => stepBack("redo");
byId("file").onclick = () => show(pane === "file" ? "settings" : "file");
byId("build").onclick = ({ detail: clicks }) => {
  if (book.unreadable !== null) { showProblem(book.problems[0]); return; }
  if (isBuilding()) { if (clicks < 2 && !book.build.isRequested) stopBuild(); return; } // a double click starts a build only
  show("build");
  if (isFeed()) makeDays(); else startBuild().finally(showState);
  showState();
};

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
function findIt() {
  openFinder(go, showKey, (number) => { const level = levelOf(number); select(`levels/${level}`, ["levels", level], number); showPage(placeOf(number)); });
}

addEventListener("keydown", (event) => {
  const isCommand = event.ctrlKey || event.metaKey, key = event.key.toLowerCase(), isDialog = byId("dialog").open;
  if (key === "?" && !event.target.matches("input, select, textarea")) showKeys();
  const task = shown && !isDialog && (isCommand ? { e: () => byId("file").click(), b: () => byId("build").click(), k: findIt } : { f6: () => goToZone(event.shiftKey ? -1 : 1), f8: showNextProblem })[key];
  if (task) { event.preventDefault(); task(); }
  if (!isCommand) return;
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
/** Open what the address names: a book, and behind a slash perhaps a part of it. */
function openAddress() {
  let address = "";
  try { address = decodeURIComponent(location.hash.slice(1)); } catch { /* not a valid address */ }
  const [, file = address, part] = /^(.+\.ya?ml)(?:\/(.+))?$/.exec(address) ?? [];
  if (file && file !== book.file) open(file, part);
  else if (file && part !== selection.part && partNames().includes(part)) go(part);
  else if (!file && (shown || byId("shelf").hidden)) home();
}
addEventListener("hashchange", openAddress);
addEventListener("pagehide", leave);
openAddress();
