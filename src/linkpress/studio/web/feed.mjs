// A feed: the month with its boards, and a panel about one day with its images and pages.

import { addressOf, allDone, ask, book, selection, send } from "./book.mjs";
import { all, button, byId, el, moveFocus, nodesOf, refill, today } from "./dom.mjs";
import { show } from "./main.mjs";

// Each day's puzzle, or the promise of it, so that days don't flicker.
const boards = new Map();
const stage = byId("stage");
let span = "month", turnedTo = "", month = { weeks: [] }, chosen = "", next = "", tab = "puzzle", turn = 0;

const days = () => month.weeks.flat().filter(({ state }) => state !== "other");

const hasBoard = ({ day }) => !month.panels[day];

/** Redraw the calendar: known boards at once, the others one by one. */
export async function drawCalendar() {
  const own = ++turn, { file } = book, isOutdated = () => own !== turn || file !== book.file;
  const answer = await ask("calendar", { today: today(), day: turnedTo || today(), span }).catch(({ message }) => ({ message }));
  if (isOutdated()) return;
  if (answer.message) { stage.replaceChildren(el("p.empty", answer.message)); return; }
  month = answer;
  [book.make, book.until] = [month.make, month.until];
  refill(byId("month-tools"), nodesOf(month.tools));
  refill(stage, nodesOf(month.html));
  fillMonth();
  byId(`day-${next}`)?.focus();
  next = "";
  for (const day of days().filter(hasBoard)) {
    if (boards.get(keyOf(day))?.svg) continue;
    const error = await Promise.resolve(boardOf(day)).then(() => "", ({ message }) => message);
    if (isOutdated()) return;
    fillMonth();
    if (error) byId(`day-${day.day}`).querySelector(".board").textContent = error;
  }
}

const keyOf = (day) => JSON.stringify([book.file, day.day, day.key, day.state === "made", book.values.image, book.values.fonts, book.values.web]);

export function fillMonth() {
  const stop = chosenDay() ?? days()[0];
  for (const head of all(stage, "[id^=head-]")) head.ariaCurrent = head.id === selection.part.replace("week/", "head-") ? "true" : null;
  for (const day of days()) {
    const cell = byId(`day-${day.day}`), known = boards.get(keyOf(day));
    cell.tabIndex = day === stop ? 0 : -1;
    cell.parentElement.ariaSelected = String(day.day === chosen);
    if (!hasBoard(day)) continue;
    refill(cell.querySelector(".board"), nodesOf(known?.svg));
    cell.querySelector(".facts").textContent = known?.told ?? day.number;
  }
  if (byId("day-panel")) drawDay(byId("day-panel"));
}

function turnTo(day, of = span) { [turnedTo, span] = [day, of]; drawCalendar(); }

stage.addEventListener("keydown", (event) => {
  const step = moveFocus(event, all(stage, ".day button"), { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 7, ArrowUp: -7 });
  if (step) turnTo(next = new Date(Date.parse(event.target.id.slice(4)) + step * 864e5).toISOString().slice(0, 10));
});

function boardOf(day) {
  const key = keyOf(day);
  if (!boards.has(key)) {
    boards.set(key, ask("day", { day: day.day }));
    boards.get(key).then((facts) => boards.set(key, facts), () => boards.delete(key));
  }
  return boards.get(key);
}

const chosenDay = () => days().find(({ day }) => day === chosen);

export const dayName = () => chosenDay()?.name ?? "";

export function drawDay(panel = el("div.fields", { id: "day-panel" })) {
  const day = chosenDay(), panels = day && (month.panels[chosen] ?? boardOf(day).panels);
  if (!panels) return panel;
  refill(panel, nodesOf(panels[tab] ?? panels.puzzle));
  const image = panel.querySelector(".print");
  if (image) image.src = addressOf("image", { day: chosen, what: image.dataset.what, turn });
  return panel;
}

export const feedTasks = {
  day: (day) => { chosen = day; fillMonth(); show("day"); },
  calendar: (day, of) => { turnTo(of === "week" && of !== span && chosenDay() ? chosen : day, of); },
  tab: (name) => { tab = name; fillMonth(); },
};

export async function makeDays() {
  const { file } = book, { left } = month;
  await allDone();
  if (!left) return;
  turnTo(left.from);
  await send("build", { file, ...left });
}
