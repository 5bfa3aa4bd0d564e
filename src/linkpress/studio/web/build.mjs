// The build of the book: its progress, the finished book, and its files.

import { act, allDone, ask, book, save, send } from "./book.mjs";
import { button, byId, el, joined, nodesOf, quiet, refill, say } from "./dom.mjs";
import { leaveFinished, showView } from "./pages.mjs";

let finished = null; // what the server shows of the finished book

export const drawBuild = () => el("div.build", { id: "build-panel" }, parts());

export const isFinished = () => book.kind === "book" && book.build?.end?.event === "done";

function parts() {
  const { build } = book;
  if (isBuilding()) {
    return [nodesOf(build.panel), build.count > 0 && nodesOf(book.facts?.made), window.Notification?.permission === "default" && quiet("tellMe", ["tellMe"])];
  }
  const word = book.kind === "feed" ? book.make : "build";
  return isFinished() ? nodesOf(finished?.panel) : [nodesOf(build?.panel), el("p.meaning", say(`${book.kind}Ask`)), word && button(word, ["build"], { class: "chief" })];
}

export const isBuilding = () => Boolean(book.build && !book.build.end);

export function showTab(title, build = {}) {
  document.title = joined([build.count && say("buildMade", build), title, "linkpress studio"], " – ");
  byId("icon").href = build.icon ?? "data:,";
}

/** Tell the end of a build, if the user asked for it and looks elsewhere. */
export function tellEnd({ end }) {
  if (end && document.hidden && window.Notification?.permission === "granted") new Notification(say(end.event === "done" ? "tellDone" : "buildFailed", book.values));
}

export function drawFinished() {
  loadFinished();
  return el("div.finished", { id: "finished" }, nodesOf(finished?.stage));
}

async function loadFinished() {
  const { file } = book, found = await ask("finished");
  if (file !== book.file) return;
  finished = found;
  refreshBuild();
  if (byId("finished")) refill(byId("finished"), nodesOf(found.stage));
}

export async function setKey(path, value) {
  await act(value === "" ? "unset" : "set", path, value);
  loadFinished();
}

export async function listAnswers() {
  const { html } = await send("listing");
  if (byId("answers")) refill(byId("answers"), nodesOf(html));
}

export async function startBuild() {
  const { file, build } = book;
  showView("all");
  showProgress({ told: say("buildStages.make"), isRequested: true });
  try {
    await allDone();
    if (!book.saved) await save();
    await send("build", { file });
  } catch (error) {
    if (file === book.file) showProgress(build);
    throw error;
  }
}

export function showProgress(build) {
  book.build = build;
  finished = null;
  refreshBuild();
  if (!isFinished()) leaveFinished();
  else if (byId("build-panel")) showView("finished");
}

export function refreshBuild() {
  if (byId("build-panel")) refill(byId("build-panel"), parts());
}
