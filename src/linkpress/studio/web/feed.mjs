// A feed: the month with its boards, and a panel about one day with its images and pages.

import { act, addressOf, ask, book, send, settled, valueAt } from "./book.mjs";
import { button, byId, el, joined, moveFocus, nodesOf, quiet, refill, say, today } from "./dom.mjs";
import { focusKey } from "./form.mjs";
import { go, show } from "./main.mjs";

// What is known of each day's puzzle, or the promise of it, so that days don't flicker.
const boards = new Map();
let months = 0, month = { weeks: [] }, chosen = "", tab = "puzzle", turn = 0;

const days = () => month.weeks.flat().filter(Boolean);

const hasBoard = ({ state }) => !["none", "missed"].includes(state);

/** Redraw the calendar. Known boards are shown at once, the others one after the other. */
export async function drawCalendar() {
  const own = ++turn, { file } = book, isOutdated = () => own !== turn || file !== book.file;
  const turnBy = (count) => () => { months = count && months + count; drawCalendar(); };
  const answer = await ask("calendar", { file, today: today(), months }).catch(({ message }) => ({ message }));
  if (isOutdated()) return;
  if (answer.message) { byId("stage").replaceChildren(el("p.empty", answer.message)); return; }
  month = answer;
  refill(byId("month-tools"),
    el("div.group", el("h2", { id: "month" }, month.title), quiet("earlier", turnBy(-1)), quiet("later", turnBy(1)), quiet("today", turnBy(0))),
    el("span", { id: "days-made" }, say("daysMade", month)));
  refill(byId("stage"), nodesOf(month.html));
  fillMonth();
  for (const day of days().filter(hasBoard)) {
    if (boards.get(keyOf(day))?.svg) continue;
    const error = await Promise.resolve(boardOf(day)).then(() => null, (refusal) => refusal);
    if (isOutdated()) return;
    fillMonth();
    if (error) byId(`day-${day.day}`).querySelector(".board").textContent = error.message;
  }
}

const keyOf = (day) => JSON.stringify([book.file, day.day, day.key, day.state === "made", book.values.image, book.values.fonts, book.values.web]);

function fillMonth() {
  const stop = chosenDay() ?? days()[0];
  for (const day of days()) {
    const cell = byId(`day-${day.day}`), known = boards.get(keyOf(day));
    cell.tabIndex = day === stop ? 0 : -1;
    cell.parentElement.ariaSelected = String(day.day === chosen);
    cell.ariaCurrent = day.day === today() ? "date" : null;
    if (!hasBoard(day)) continue;
    refill(cell.querySelector(".board"), nodesOf(known?.svg));
    refill(cell.querySelector(".facts"), joined([String(day.number), known?.difficulty?.split(",")[0]], " · "));
  }
  if (byId("day-panel")) fillDay(byId("day-panel"));
}

byId("stage").addEventListener("keydown", (event) => {
  moveFocus(event, [...byId("stage").querySelectorAll(".day button")], { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 });
});

function boardOf(day) {
  const key = keyOf(day);
  if (!boards.has(key)) {
    boards.set(key, ask("day", { file: book.file, day: day.day }));
    boards.get(key).then((facts) => boards.set(key, facts), () => boards.delete(key));
  }
  return boards.get(key);
}

const chosenDay = () => days().find(({ day }) => day === chosen);

export const dayName = () => chosenDay()?.name ?? "";

export function drawDay() {
  const panel = el("div.fields", { id: "day-panel" });
  fillDay(panel);
  return panel;
}

function fillDay(panel) {
  const day = chosenDay(), isSkipped = skipped().includes(chosen), panels = day && hasBoard(day) && boardOf(day).panels;
  if (day && !hasBoard(day)) refill(panel, el("p", say("noIssue")), isSkipped && button("addPuzzle", () => skipDay(chosen)));
  if (!panels) return;
  refill(panel, nodesOf(panels[tab] ?? panels.puzzle));
  const image = panel.querySelector(".print");
  if (image) image.src = addressOf("image", { day: chosen, what: image.dataset.what, turn });
}

const skipped = () => [valueAt(["skip"]) ?? []].flat();

function skipDay(day) {
  const list = skipped().includes(day) ? skipped().filter((one) => one !== day) : [...skipped(), day];
  act(list.length ? "set" : "unset", ["skip"], list);
}

export const feedTasks = {
  day: (day) => { chosen = day; fillMonth(); show("day"); },
  weekday: (weekday) => { go("week"); focusKey(["week", weekday]); },
  tab: (name) => { tab = name; fillMonth(); },
  skip: skipDay,
  replaceDay: (day, which) => act(which ? "set" : "unset", ["replace", day], String(which)),
};

export const makeWords = () => month.left && say("makeDays", month);

export async function makeDays() {
  const { file } = book, { left } = month;
  await settled();
  if (left) await send("build", { file, ...left });
}
